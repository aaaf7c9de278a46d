begin;
select plan(4);

select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "time__*"}, {"effect": "deny", "subject": "everyone", "read_only": true}, {"effect": "deny", "subject": "everyone", "categories": "x"}, {"effect": "deny", "subject": "everyone", "names": "secret*"}]}');
select t.make_catalog();
select is_empty($$select x.public_name from catalog.item as x where (x.rights_class = 0) = (x.public_name like 'time\_\_%')$$, 'new tools are classed as they come');
select is_empty($$select c.name from search.card as c inner join catalog.item as x on c.kind = x.kind and x.id = c.ref where x.rights_class <> c.rights_class$$, 'and their cards with them');
update catalog.item set traits = '{read_only}' where name = 'create_ticket';
select isnt((select x.rights_class from catalog.item as x where x.name = 'create_ticket'), 0, 'a changed annotation');
update catalog.item set categories = '{x}' where name = 'listTickets';
select isnt((select c.rights_class from search.card as c where c.name like '%listTickets'), 0, 'a changed category');

select * from finish();
rollback;
