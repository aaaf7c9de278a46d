begin;
select plan(9);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('bob');
select count(*) from service.call_begin('time__convert_time', 1, 'of bob', gen_random_uuid());
select t.act_as('alice');
select count(*) from service.call_begin('time__get_current_time', 2, 'of alice', gen_random_uuid());
select is_empty($$select c.id from api.calls as c where c.request_id = 'of bob'$$, 'not another''s');
select results_eq($$select c.principal, c.name, c.outcome, c.origin, c.argument_bytes from api.calls as c$$, $$values ('alice', 'time__get_current_time', 'pending', 'time', 2)$$, 'one''s own');
select is_empty($$select * from api.calls(since => now() + interval '1 day')$$, 'none that began earlier than asked for');
select t.act_as('op', 'qm_operator');
select is_empty($$select c.id from api.calls as c$$, 'an operator sees none of others');
select t.act_as('boss', 'qm_admin');
select results_eq($$select c.request_id from api.calls as c$$, array['of alice', 'of bob'], 'an administrator sees all, the newest first');
select t.act_as_superuser();
update calls.call set outcome = 'failed', ended_at = now(), failure = 'time__convert_time fails';
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "origins": "time"}]}');
select t.act_as('alice');
select results_eq($$select c.name, c.origin, c.failure from api.calls as c$$, $$values (null::text, null::text, null::text)$$, 'what rules hide now has no name, and no error that may quote it');
select t.act_as('boss', 'qm_admin');
select is_empty($$select * from api.calls as c where concat(c.name, c.origin, c.failure) <> ''$$, 'for administrators, too');
select t.act_as(null);
select is_empty($$select c.id from api.calls as c$$, 'nobody sees none');
select t.act_as_superuser();
select is((select count(*) from calls.call), 2::bigint, 'although they are there');

select * from finish();
rollback;
