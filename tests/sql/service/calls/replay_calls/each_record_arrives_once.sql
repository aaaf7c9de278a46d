begin;
select plan(18);

select t.make_catalog(), t.make_principal('boss', 'admin'), t.make_principal('alice'), t.make_principal('bob');
create temporary table who as select p.id, p.name from policy.principal as p;
create temporary table what as select x.id from catalog.item as x where x.public_name = 'time__convert_time';
grant select on who, what to public;
create function pg_temp.begun(p_key text, p_more jsonb default '{}') returns jsonb language sql as $$
    select jsonb_build_object(
        'event', 'begin', 'key', p_key::uuid, 'at', '2026-01-01T00:00:00Z', 'principal_id', (select w.id from who as w where w.name = 'alice'),
        'instance_id', '00000000-0000-0000-0000-0000000000ff', 'request_id', 'r', 'receipt_id', null, 'kind', 'tool', 'ref', (select x.id from what as x),
        'version', 1, 'argument_bytes', 7) || p_more;
$$;
create function pg_temp.ended(p_more jsonb) returns jsonb language sql as $$
    select jsonb_build_object(
        'event', 'end', 'at', '2026-01-01T00:00:02Z', 'principal_id', (select w.id from who as w where w.name = 'alice'),
        'outcome', 'ok', 'duration_ms', 2000, 'result_bytes', 30, 'failure', null) || p_more;
$$;
create function pg_temp.replay(variadic p_records jsonb []) returns text language sql as $$
    select format('%s %s', r.begun, r.ended) from service.replay_calls(to_jsonb(p_records)) as r;
$$;
select t.act_as('boss', 'qm_admin');
select throws_ok($$select * from service.replay_calls('[]')$$, '42501', null, 'administrators do not');
select t.act_as('alice');
select throws_ok($$select * from service.replay_calls('[]')$$, '42501', null, 'nor users');
create temporary table here as select b.call_id from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid(), null, '00000000-0000-0000-0000-00000000000c', '2026-01-01 00:00+00') as b;
grant select on here to public;
select t.act_as_superuser();
set local session authorization qm_service;
select t.at('2026-01-01 01:00+00');
select is((select format('%s %s', r.begun, r.ended) from service.replay_calls('[]') as r), '0 0', 'nothing');
select is(pg_temp.replay(pg_temp.begun('00000000-0000-0000-0000-00000000000a')), '1 0', 'a call that has begun');
select is(pg_temp.replay(pg_temp.begun('00000000-0000-0000-0000-00000000000a')), '0 0', 'is added once');
select is(pg_temp.replay(pg_temp.ended('{"key": "00000000-0000-0000-0000-00000000000a", "principal_id": 0}')), '0 0', 'another does not end it');
select is(pg_temp.replay(pg_temp.ended('{"key": "00000000-0000-0000-0000-00000000000a", "outcome": "lost"}')), '0 1', 'nobody knows how it ended');
select is(pg_temp.replay(pg_temp.ended('{"key": "00000000-0000-0000-0000-00000000000a"}')), '0 1', 'until somebody does');
select is(pg_temp.replay(pg_temp.ended('{"key": "00000000-0000-0000-0000-00000000000a", "outcome": "lost"}')), '0 0', 'which stays');
select is(
    pg_temp.replay(pg_temp.begun('00000000-0000-0000-0000-00000000000b'), pg_temp.ended('{"key": "00000000-0000-0000-0000-00000000000b", "outcome": "timeout"}')),
    '1 1', 'a whole call at once'
);
select is(
    pg_temp.replay(pg_temp.begun('00000000-0000-0000-0000-00000000000c'), pg_temp.ended('{"key": "00000000-0000-0000-0000-00000000000c"}')),
    '0 1', 'one whose beginning did arrive, though nobody was told'
);
select is((select pg_temp.replay(pg_temp.ended(jsonb_build_object('call_id', h.call_id))) from here as h), '0 0', 'by its number, too');
select throws_ok($$select pg_temp.replay(pg_temp.begun('00000000-0000-0000-0000-00000000000d', '{"ref": -1}'))$$, 'QM422', null, 'a tool that is not there');
select throws_ok($$select pg_temp.replay(pg_temp.begun('00000000-0000-0000-0000-00000000000d', '{"principal_id": -1}'))$$, 'QM422', null, 'nor a principal');
select throws_ok(
    $$select pg_temp.replay(pg_temp.begun('00000000-0000-0000-0000-00000000000d', '{"method": "prompts/get", "origin_id": -1, "target": "x", "kind": null, "ref": null, "version": null}'))$$,
    'QM422', null, 'nor an origin'
);
reset session authorization;
select is((select count(*) from calls.call as c), 3::bigint, 'no more and no less');
select results_eq(
    $$select c.started_at, c.ended_at, c.replayed_at, c.outcome, c.argument_bytes, c.duration_ms, c.result_bytes from calls.call as c where c.key = '00000000-0000-0000-0000-00000000000a'$$,
    $$values ('2026-01-01 00:00+00'::timestamptz, '2026-01-01 00:00:02+00'::timestamptz, '2026-01-01 01:00+00'::timestamptz, 'ok', 7, 2000::real, 30::bigint)$$, 'what happened and when'
);
select is((select c.receipt_id from calls.call as c where c.key = '00000000-0000-0000-0000-00000000000b'), null, 'without a receipt');

select * from finish();
rollback;
