begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_rules('{"rules": [
    {"effect": "deny", "subject": "role:user", "tools": "time__convert_time"},
    {"effect": "allow", "subject": "role:user", "tools": "time__*", "reason": "clocks"}
]}');
select api.put_toolset('clock', '{"tools": "time__*"}');
select t.act_as('alice'), t.at('2030-01-01 10:00+00');
select service.call_begin('tracker__create_ticket', 2, 'r', gen_random_uuid());
select t.at('2030-01-01 10:00:01+00');
select service.call_begin('time__convert_time', 2, 'r', gen_random_uuid());
select t.at('2030-01-01 10:00:02+00'), t.through('clock');
create temporary table last as select b.call_id from service.call_begin('time__get_current_time', 2, 'r', gen_random_uuid()) as b;
select service.call_end(l.call_id, 'ok', 1) from last as l;
select throws_ok($$select * from api.list_decisions(denied => false)$$, '42501', null, 'not for users');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select d.decided_at, d.toolset, d.door, d.kind, d.name, d.is_allowed, d.rule, d.reason from api.list_decisions(denied => false) as d$$,
    $$values
        ('2030-01-01 10:00:02+00'::timestamptz, 'clock', 'call', 'tool', 'time__get_current_time', true, 2, 'rule 2: allow role:user: clocks'),
        ('2030-01-01 10:00:01+00', null, 'call', 'tool', 'time__convert_time', false, 1, 'rule 1: deny role:user'),
        ('2030-01-01 10:00:00+00', null, 'call', 'tool', 'tracker__create_ticket', true, null, 'default allow')$$,
    'by which rule, whether it has ended or not, the newest first'
);
select is((select count(distinct d.version) from api.list_decisions(denied => false) as d), 1::bigint, 'of one version');
select results_eq($$select d.name from api.list_decisions(2, false) as d$$, $$values ('time__get_current_time'), ('time__convert_time')$$, 'the newest of both');
select t.act_as_superuser();
select results_eq($$select d.name from policy.decision as d$$, array['time__convert_time'], 'kept once: here what was denied');
update calls.call set rule_version_id = null;
select t.act_as('op', 'qm_operator');
select is((select count(*) from api.list_decisions(denied => false)), 1::bigint, 'what was allowed without the database is no decision of its rules');

select * from finish();
rollback;
