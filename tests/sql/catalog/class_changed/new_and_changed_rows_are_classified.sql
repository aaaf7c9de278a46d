begin;
select plan(4);

select t.make_catalog();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "categories": "red"}, {"effect": "deny", "subject": "everyone", "origins": "secret"}]}');
select t.make_origin('secret'), t.make_tool('secret', 'x');
select isnt((select o.rights_class from catalog.origin as o where o.name = 'secret'), 0, 'a new origin');
select isnt((select i.rights_class from catalog.item as i where i.name = 'x'), 0, 'a new item');
update catalog.item set categories = '{red}' where name = 'convert_time';
select isnt((select i.rights_class from catalog.item as i where i.name = 'convert_time'), 0, 'another category');
update catalog.item set rights_class = 0, brief = 'x' where name = 'convert_time';
select is((select i.rights_class from catalog.item as i where i.name = 'convert_time'), 0, 'what no rule depends on is not looked at');

select * from finish();
rollback;
