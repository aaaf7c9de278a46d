begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('boss', 'admin');
update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', '{}') where x.public_name = 'time__convert_time';
select t.at('2030-01-01 10:00+00');
insert into core.instance (id, kind, version, pid, started_at, seen_at)
values ('00000000-0000-0000-0000-00000000000a', 'up', '1', 1, core.now(), core.now());
select t.act_as('alice');
create temporary table begun as
select b.call_id from service.call_begin('time__convert_time', 0, 'r', '00000000-0000-0000-0000-00000000000a', key => '00000000-0000-0000-0000-0000000000aa') as b;
select throws_ok($$select * from api.call_gaps()$$, '42501', null, 'users do not look at all calls');
select t.act_as('boss', 'qm_admin');
select is_empty($$select * from api.call_gaps()$$, 'a call under way is no gap');
select t.act_as('alice');
select service.call_end(b.call_id, 'ok', 5, 10) from begun as b;
select t.act_as('boss', 'qm_admin');
select is_empty($$select * from api.call_gaps()$$, 'nor one that ended');
select t.act_as_superuser();
insert into calls.call (started_at, principal_id, instance_id, request_id, kind, ref, version, argument_bytes, key, attempts, outcome, ended_at, duration_ms, result_bytes)
select v.started_at, p.id, v.instance, v.request, x.kind, x.id, x.version, 0, v.key, v.attempts, v.outcome, case when v.outcome <> 'pending' then core.now() end, v.duration, v.bytes
from (
    values
    (core.now() + interval '1 s', '00000000-0000-0000-0000-00000000000a'::uuid, 'twice', '00000000-0000-0000-0000-0000000000aa'::uuid, 1, 'ok', 5, 1),
    (core.now(), '00000000-0000-0000-0000-00000000000b', 'gone', null, 1, 'pending', null, null),
    (core.now() - interval '2 days', '00000000-0000-0000-0000-00000000000a', 'never ended', null, 1, 'pending', null, null),
    (core.now(), '00000000-0000-0000-0000-00000000000a', 'without duration', null, 1, 'timeout', null, null),
    (core.now(), '00000000-0000-0000-0000-00000000000a', 'without size', null, 1, 'ok', 5, null),
    (core.now(), '00000000-0000-0000-0000-00000000000a', 'repeated', null, 2, 'ok', 5, 1)
) as v (started_at, instance, request, key, attempts, outcome, duration, bytes)
cross join catalog.item as x cross join policy.principal as p
where x.public_name = 'time__convert_time' and p.name = 'alice';
select t.act_as('boss', 'qm_admin');
select set_eq(
    $$select g.problem, c.request_id from api.call_gaps() as g inner join calls.call as c on c.id = g.call_id$$,
    $$values ('twice', 'twice'), ('twice', 'r'), ('process_gone', 'gone'), ('never_ended', 'never ended'), ('without_duration', 'without duration'),
        ('without_size', 'without size'), ('repeated', 'repeated')$$, 'each thing that cannot be is named'
);
select is((select count(*) from api.call_gaps('2030-01-01 10:00:01+00') as g), 0::bigint, 'of the time that was asked for');

select * from finish();
rollback;
