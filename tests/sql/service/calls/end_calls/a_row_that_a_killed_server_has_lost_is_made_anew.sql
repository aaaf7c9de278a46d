begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
create temporary table who as select p.id, p.name from policy.principal as p;
create temporary table what as select x.id, x.origin_id from catalog.item as x where x.public_name = 'time__convert_time';
grant select on who, what to public;
create function pg_temp.ended(p_more jsonb default '{}') returns jsonb language sql as $$
    select jsonb_build_object(
        'event', 'end', 'call_id', 77, 'key', '00000000-0000-0000-0000-00000000000a', 'started_at', '2026-01-01T00:00:00Z',
        'at', '2026-01-01T00:00:02Z', 'principal_id', (select w.id from who as w where w.name = 'alice'), 'outcome', 'ok', 'duration_ms', 2000,
        'result_bytes', 30, 'failure', null, 'attempts', 2, 'instance_id', '00000000-0000-0000-0000-0000000000ff', 'request_id', 'r',
        'receipt_id', null, 'kind', 'tool', 'ref', (select x.id from what as x), 'version', 1, 'argument_bytes', 7) || p_more;
$$;
set local session authorization qm_service;
select t.at('2026-01-01 01:00+00');
select throws_ok($$select service.end_calls(jsonb_build_array(pg_temp.ended('{"ref": -1}')))$$, 'QM422', null, 'a tool that is not there');
select is(service.end_calls(jsonb_build_array(pg_temp.ended() - 'ref')), 0, 'nothing is known of its beginning');
select is(service.end_calls(jsonb_build_array(pg_temp.ended())), 1, 'made anew, and ended');
select is(service.end_calls(jsonb_build_array(pg_temp.ended())), 0, 'once');
select is(
    service.end_calls(jsonb_build_array(pg_temp.ended(jsonb_build_object('outcome', 'timeout', 'principal_id', (select w.id from who as w where w.name = 'bob'))))),
    0, 'the key is another''s'
);
select is(
    service.end_calls(jsonb_build_array(pg_temp.ended('{"key": "00000000-0000-0000-0000-00000000000b"}'), pg_temp.ended())), 1, 'one of two was lost'
);
reset session authorization;
select is((select count(*) from calls.call as c), 2::bigint, 'no more and no less');
select results_eq(
    $$select p.name, c.started_at, c.ended_at, c.replayed_at, c.outcome, c.origin_id, c.argument_bytes, c.duration_ms, c.result_bytes, c.attempts
      from calls.call as c inner join policy.principal as p on p.id = c.principal_id where c.key = '00000000-0000-0000-0000-00000000000a'$$,
    $$select 'alice'::text, '2026-01-01 00:00+00'::timestamptz, '2026-01-01 00:00:02+00'::timestamptz, '2026-01-01 01:00+00'::timestamptz, 'ok', x.origin_id, 7, 2000::real, 30::bigint, 2 from what as x$$,
    'as it was'
);

select * from finish();
rollback;
