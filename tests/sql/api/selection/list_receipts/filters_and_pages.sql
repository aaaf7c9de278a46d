begin;
select plan(19);

select t.make_catalog(), t.make_principal('alice');
create function pg_temp.ref(p_name text) returns bigint language sql as $$ select i.id from catalog.item as i where i.public_name = p_name $$;
create function pg_temp.offer(p_goal text, p_at timestamptz, p_is_weak boolean, variadic p_names text[]) returns void language sql as $$
    insert into selection.receipt (created_at, principal_id, kind, goal, mode, offered, duration_ms)
    select p_at, p.id, 'tool', p_goal, 'fast', coalesce((
        select jsonb_agg(jsonb_build_object('rank', n.rank, 'name', n.name, 'ref', pg_temp.ref(n.name), 'weak', p_is_weak) order by n.rank)
        from unnest(p_names) with ordinality as n (name, rank)
    ), '[]'), 1
    from policy.principal as p where p.name = 'alice'
$$;
create function pg_temp.call(p_tool text, p_outcome text, p_at timestamptz) returns void language sql as $$
    insert into calls.call (started_at, principal_id, instance_id, request_id, kind, ref, version, argument_bytes, outcome, ended_at, duration_ms)
    select p_at, p.id, gen_random_uuid(), 'r', 'tool', pg_temp.ref(p_tool), 1, 0, p_outcome, case when p_outcome <> 'pending' then p_at end, 5
    from policy.principal as p where p.name = 'alice'
$$;
select pg_temp.offer('first', '2026-01-01 10:00+00', false, 'time__convert_time', 'tracker__create_ticket');
select pg_temp.offer('second', '2026-01-01 11:00+00', true, 'time__convert_time');
select pg_temp.offer('third', '2026-01-01 12:00+00', false, variadic '{}');
select pg_temp.offer('fourth', '2026-01-01 12:00+00', false, 'tracker__listTickets');
select pg_temp.call('time__convert_time', 'tool_error', '2026-01-01 10:01+00'), pg_temp.call('time__convert_time', 'ok', '2026-01-01 10:02+00');
select pg_temp.call('time__convert_time', 'timeout', '2026-01-01 11:01+00'), pg_temp.call('tracker__listTickets', 'pending', '2026-01-01 12:01+00');
insert into selection.receipt (created_at, principal_id, kind, origin, goal_hash, mode, offered, duration_ms)
select '2026-01-01 09:00+00', p.id, 'lookup', 'city', '\x00', 'default', '[{"rank": 1, "name": "1"}]', 1 from policy.principal as p where p.name = 'alice';
create function pg_temp.goals(variadic p_filters text[] default '{}') returns text language plpgsql as $$
declare
    v_goals text;
begin
    execute format('select string_agg(coalesce(l.goal, ''-''), '' '') from api.list_receipts(%s) as l', array_to_string(p_filters, ', ')) into v_goals;
    return v_goals;
end
$$;
grant execute on all functions in schema pg_temp to public;

select t.act_as('alice');
select is(pg_temp.goals(), 'fourth third second first -', 'the newest first, and of one time the newest number');
select results_eq(
    $$select l.goal, l.offered, l.fitted, l.first, l.calls, l.outcome from api.list_receipts(of_kind => 'tool') as l$$, $$values
        ('fourth', 1, true, 'tracker__listTickets', 1, 'pending'), ('third', 0, false, null, 0, 'not_called'),
        ('second', 1, false, 'time__convert_time', 1, 'failed'), ('first', 2, true, 'time__convert_time', 2, 'ok')$$, 'what came of each search'
);
select is(pg_temp.goals($$of_outcome => 'ok'$$), 'first', 'by outcome: one good call is enough');
select is(pg_temp.goals($$of_outcome => 'failed'$$), 'second', 'a failure');
select is(pg_temp.goals($$of_outcome => 'pending'$$), 'fourth', 'a call in progress');
select is(pg_temp.goals($$of_outcome => 'not_called'$$), 'third -', 'no call');
select throws_ok($$select pg_temp.goals('of_outcome => ''timeout''')$$, 'QM422', null, 'another outcome is refused');
select is(pg_temp.goals('nothing_fitted => true'), 'third second', 'nothing was returned, or only the nearest');
select is(pg_temp.goals($$of_card => 'time__convert_time'$$), 'second first', 'by tool');
select is(pg_temp.goals($$of_origin => 'tracker'$$), 'fourth first', 'by origin');
select is(pg_temp.goals($$of_origin => 'tracker'$$, $$of_card => 'time__convert_time'$$), null, 'a tool of another origin matches nothing');
select is(pg_temp.goals($$of_kind => 'lookup'$$), '-', 'by kind');
select is(pg_temp.goals($$since => '2026-01-01 11:00+00'$$), 'fourth third second', 'since a time');
select is(pg_temp.goals($$by_principal => 'alice'$$, $$of_card => 'time__convert_time'$$, $$of_outcome => 'ok'$$), 'first', 'all filters together');
select is(pg_temp.goals('limit_to => 2'), 'fourth third', 'a page');
select is(pg_temp.goals('limit_to => 2', format('before_id => %s', (select min(l.receipt) from api.list_receipts(2) as l))), 'second first', 'the next one');
select set_config('t.last', (select min(l.receipt) from api.list_receipts(2) as l)::text, true);
select t.act_as_superuser();
select pg_temp.offer('fifth', '2026-01-01 13:00+00', false, variadic '{}');
select t.act_as('alice');
select is(pg_temp.goals('limit_to => 2', format('before_id => %s', current_setting('t.last'))), 'second first', 'which is the same when there are new receipts');
select is(pg_temp.goals('before_id => 0'), null, 'nothing follows a receipt that does not exist');
select throws_ok($$select pg_temp.goals('limit_to => 0')$$, 'QM422', null, 'a page has receipts');

select * from finish();
rollback;
