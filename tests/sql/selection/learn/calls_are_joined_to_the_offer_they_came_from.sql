begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
create function pg_temp.call(p_principal text, p_tool text, p_outcome text, p_at timestamptz, p_receipt bigint default null) returns void language sql as $$
    insert into calls.call (started_at, principal_id, instance_id, request_id, receipt_id, kind, ref, version, argument_bytes, outcome, ended_at, duration_ms)
    select p_at, (select p.id from policy.principal as p where p.name = p_principal), gen_random_uuid(), 'r', p_receipt, x.kind, x.id, 1, 0, p_outcome, p_at, 50
    from catalog.item as x where x.public_name = p_tool;
$$;
create function pg_temp.offer(p_principal text, p_goal text, variadic p_names text[]) returns bigint language plpgsql as $$
declare
    v_id bigint;
begin
    perform t.read_as(p_principal);
    v_id := selection.record_receipt('tool', p_goal, 'fast', null, (
        select jsonb_agg(jsonb_build_object('rank', n.rank, 'name', n.name, 'ref', x.id) order by n.rank)
        from unnest(p_names) with ordinality as n (name, rank) inner join catalog.item as x on x.public_name = n.name
    ), 1);
    perform t.act_as_superuser();
    return v_id;
end
$$;
select t.at('2026-01-01 10:00+00');
create temporary table asked (what text, id bigint);
insert into asked select 'tokyo', pg_temp.offer('alice', 'Time in Tokyo', 'tracker__listTickets', 'time__convert_time', 'time__get_current_time', 'tracker__create_ticket');
select t.at('2026-01-01 10:10+00');
insert into asked select 'again', pg_temp.offer('alice', 'time in tokyo', 'time__get_current_time', 'time__convert_time');
insert into asked select 'bob', pg_temp.offer('bob', 'time in tokyo', 'time__get_current_time');
select pg_temp.call('alice', 'time__get_current_time', 'ok', '2026-01-01 10:05+00'), pg_temp.call('alice', 'time__convert_time', 'tool_error', '2026-01-01 10:06+00');
-- In the window of both: it belongs to the newer offer, or to the one it names.
select pg_temp.call('alice', 'time__get_current_time', 'ok', '2026-01-01 10:20+00'), pg_temp.call('alice', 'time__get_current_time', 'ok', '2026-01-01 10:21+00', (select a.id from asked as a where a.what = 'tokyo'));
select t.at('2026-01-01 10:29+00');
select is(selection.learn(), 0, 'while calls may follow, nothing is learned');
select t.at('2026-01-01 11:00+00');
select is(selection.learn(), 3, 'then each is');
select is(selection.learn(), 0, 'once');
select results_eq(
    $$select a.what, x.public_name, o.rank, o.calls, o.successes from selection.outcome as o inner join asked as a on a.id = o.receipt_id inner join catalog.item as x on x.id = o.ref order by 1, 3$$,
    $$values ('again', 'time__get_current_time', 1, 1, 1), ('tokyo', 'time__convert_time', 2, 1, 0), ('tokyo', 'time__get_current_time', 3, 2, 2)$$, 'who called what after which offer'
);
select results_eq(
    $$select x.public_name, j.successes, j.passed_over from selection.judgement as j inner join catalog.item as x on x.id = j.ref order by 1$$,
    $$values ('time__get_current_time', 3, 0), ('tracker__listTickets', 0, 1)$$, 'right for the goal, however it is written, and passed over for it'
);
select is_empty($$select * from selection.judgement as j inner join catalog.item as x on x.id = j.ref where x.public_name in ('tracker__create_ticket', 'time__convert_time')$$, 'below the right one, or tried: no hard negative');
select is((select count(*) from selection.receipt as r where r.learned_at = '2026-01-01 11:00+00'), 3::bigint, 'when that was is kept');

select * from finish();
rollback;
