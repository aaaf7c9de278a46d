begin;
select plan(9);

select t.make_catalog(), t.make_principal('boss', 'admin'), t.make_principal('alice'), t.make_principal('bob');
create temporary table who as select p.id, p.name from policy.principal as p;
grant select on who to public;
select t.act_as('alice');
create temporary table begun as
select n as number, b.call_id
from generate_series(1, 3) as n
cross join lateral service.call_begin(
    'time__convert_time', n, 'r', gen_random_uuid(), null, gen_random_uuid(), '2026-01-01 00:00+00'::timestamptz + n * interval '1 day'
) as b;
grant select on begun to public;
create function pg_temp.ended(p_number integer, p_more jsonb default '{}') returns jsonb language sql as $$
    select jsonb_build_object(
        'call_id', b.call_id, 'started_at', '2026-01-01T00:00:00Z'::timestamptz + p_number * interval '1 day', 'at', '2026-01-05T00:00:00Z',
        'principal_id', (select w.id from who as w where w.name = 'alice'), 'outcome', 'ok', 'duration_ms', 2.5, 'result_bytes', 30,
        'failure', null, 'attempts', 1) || p_more
    from begun as b
    where b.number = p_number;
$$;
select throws_ok($$select service.end_calls('[]')$$, '42501', null, 'users do not');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select service.end_calls('[]')$$, '42501', null, 'nor administrators');
select t.act_as_superuser();
set local session authorization qm_service;
select is(service.end_calls('[]'), 0, 'none');
select is(
    service.end_calls(jsonb_build_array(pg_temp.ended(1, '{"principal_id": 0}'), pg_temp.ended(2, '{"started_at": "2026-01-01T00:00:00Z"}'))), 0,
    'not of another, nor of another moment'
);
select throws_ok(
    $$select service.end_calls(jsonb_build_array(pg_temp.ended(1), pg_temp.ended(2, '{"outcome": "wonderful"}')))$$, '23514', null, 'an unknown outcome'
);
select is(service.end_calls(jsonb_build_array(pg_temp.ended(2), pg_temp.ended(1, '{"outcome": "tool_error", "failure": "no"}'))), 2, 'two at once');
select is(service.end_calls(jsonb_build_array(pg_temp.ended(2, '{"outcome": "timeout"}'), pg_temp.ended(3))), 1, 'each once');
reset session authorization;
select results_eq(
    $$select b.number, c.outcome, c.duration_ms, c.result_bytes, c.failure from begun as b inner join calls.call as c on c.id = b.call_id order by 1$$,
    $$values (1, 'tool_error', 2.5::real, 30::bigint, 'no'), (2, 'ok', 2.5, 30, null), (3, 'ok', 2.5, 30, null)$$, 'how they ended'
);
select is((select count(*) from calls.call as c where c.ended_at = '2026-01-05 00:00+00'), 3::bigint, 'and when');

select * from finish();
rollback;
