begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
create function pg_temp.ref(p_name text) returns bigint language sql as $$ select i.id from catalog.item as i where i.public_name = p_name $$;
create function pg_temp.call(p_tool text, p_at timestamptz, p_failure text, p_receipt bigint default null) returns void language sql as $$
    insert into calls.call (started_at, principal_id, instance_id, request_id, receipt_id, kind, ref, version, argument_bytes, outcome, ended_at, duration_ms, failure)
    select p_at, p.id, gen_random_uuid(), 'r', p_receipt, 'tool', pg_temp.ref(p_tool), 1, 0, 'ok', p_at, 5, p_failure from policy.principal as p where p.name = 'alice'
$$;
create temporary table asked as
with written as (
    insert into selection.receipt (created_at, principal_id, kind, goal, mode, offered, duration_ms)
    select v.at::timestamptz, p.id, 'tool', v.goal, 'fast', jsonb_build_array(jsonb_build_object('rank', 1, 'name', 'time__convert_time', 'ref', pg_temp.ref('time__convert_time'))), 1
    from policy.principal as p, (values ('old', '2026-01-01 10:00+00'), ('new', '2026-01-01 10:10+00')) as v (goal, at) where p.name = 'alice'
    returning id, goal
)
select id, goal from written;
grant select on asked to public;
select pg_temp.call('time__convert_time', '2026-01-01 09:59+00', 'before'), pg_temp.call('time__convert_time', '2026-01-01 10:05+00', 'between');
select pg_temp.call('time__convert_time', '2026-01-01 10:20+00', 'after'), pg_temp.call('time__convert_time', '2026-01-01 11:00+00', 'too late');
select pg_temp.call('time__convert_time', '2026-01-01 12:00+00', 'names it', a.id), pg_temp.call('tracker__listTickets', '2026-01-01 10:01+00', 'not offered', a.id) from asked as a where a.goal = 'old';
create function pg_temp.calls_of(p_goal text) returns text language sql as $$
    select string_agg(c.failure || coalesce(' ' || c.rank, ''), ', ' order by c.started_at)
    from asked as a cross join lateral selection.receipt_calls(array[a.id]) as c where a.goal = p_goal
$$;
grant execute on all functions in schema pg_temp to public;

select t.read_as('bob');
select is(pg_temp.calls_of('old'), null, 'the calls of others are not shown');
select t.read_as('alice');
select is(pg_temp.calls_of('old'), 'not offered, between 1, names it 1', 'the calls before the next search, and those that name it');
select is(pg_temp.calls_of('new'), 'after 1', 'the calls that follow it, until the window ends');
select is((select count(*) from selection.receipt_calls(array(select a.id from asked as a))), 4::bigint, 'several receipts at once');

select * from finish();
rollback;
