begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice');
select t.act_as('alice');
select api.select_tools('what time is it in Tokyo', top => 1);
select results_eq($$select l.first from api.list_receipts(of_card => 'time__get_current_time') as l$$, $$values ('time__get_current_time')$$, 'while she may see the tool, it is named and found');
select isnt_empty($$select * from api.list_receipts(of_origin => 'time')$$, 'also by its origin');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "origins": "time"}]}');
select t.act_as('alice');
select results_eq($$select l.offered, l.fitted is not null, l.first from api.list_receipts() as l$$, $$values (1, true, null::text)$$, 'a rule hides the name; that a card was returned stays');
select is_empty($$select * from api.list_receipts(of_card => 'time__get_current_time')$$, 'its name matches nothing');
select is_empty($$select * from api.list_receipts(of_card => 'time__nothing')$$, 'like a name that no tool has');
select is_empty($$select * from api.list_receipts(of_origin => 'time')$$, 'as does the name of its origin');
select is_empty($$select * from api.list_receipts(of_origin => 'nothing')$$, 'like a name that no origin has');
select t.act_as_superuser();
select t.make_rules('{"rules": []}');
update catalog.item set deprecated_at = now() where public_name = 'time__get_current_time';
select catalog.show_items(array(select i.id from catalog.item as i));
select t.act_as('alice');
select results_eq($$select l.first from api.list_receipts(of_card => 'time__get_current_time') as l$$, $$values ('time__get_current_time')$$, 'a tool that its server no longer offers keeps its name');

select * from finish();
rollback;
