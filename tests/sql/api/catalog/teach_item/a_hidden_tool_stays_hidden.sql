begin;
select plan(3);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_catalog();
select t.act_as('op', 'qm_operator');
select * from api.teach_item('{tool}', 'open a ticket for a bug', 'time__convert_time', 'tracker__create_ticket');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "names": "time__convert_time"}]}');
select t.act_as('alice');
select is_empty($$select * from api.select_tools('open a ticket for a bug', explain => true) as s where s.name = 'time__convert_time'$$, 'a search does not show it');
select t.act_as_superuser();
select ok(not exists (select from selection.receipt as r where r.withheld ? 'not_visible' or r.offered::text like '%convert_time%'), 'no receipt counts or names it');
select t.act_as('op', 'qm_operator');
select is((select s.name from api.select_tools('open a ticket for a bug') as s where s.rank = 1), 'time__convert_time', 'whoever may see it finds it');

select * from finish();
rollback;
