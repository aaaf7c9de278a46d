begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
update catalog.item set status = 'quarantined', status_reason = 'a test' where name = 'create_ticket';
update catalog.item set deprecated_at = now() where name = 'close_ticket';
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "*get_current_time"}]}');
select t.act_as('alice');
select is_empty($$select x.name from api.tools as x where x.name = 'time__get_current_time'$$, 'what a rule hides is not there');
select is_empty($$select x.name from api.tools as x except select i.public_name from api.list_items('tool', maximum => null) as i$$, 'nothing that list_items does not list');
select results_eq($$select x.name, x.origin, x.status from api.tools as x$$, $$values ('time__convert_time', 'time', 'approved'), ('tracker__listTickets', 'tracker', 'approved')$$, 'nor what waits, or is gone');
select t.act_as('op', 'qm_operator');
select results_eq($$select x.name from api.tools as x$$, array['time__convert_time', 'tracker__create_ticket', 'tracker__listTickets'], 'operators see what is in quarantine');
select is((select x.reason from api.tools as x where x.status = 'quarantined'), 'a test', 'and why');
select is_empty($$select x.name from api.tools as x except select i.name from api.review_items('{tool}', maximum => 1000) as i$$, 'nothing that review_items does not list');
select t.act_as(null);
select is_empty($$select x.name from api.tools as x$$, 'nobody sees none');
select t.act_as_superuser();
select isnt_empty($$select from catalog.item as i where i.public_name = 'time__get_current_time' and i.is_live$$, 'although it is there');

select * from finish();
rollback;
