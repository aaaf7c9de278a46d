begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('carol');
insert into selection.utility (kind, ref, calls, successes, success_rate, p95_ms, success_gain, latency_loss, refreshed_at)
select 'tool', i.id, 1, 1, 1, 1, 0, 0, now() from catalog.item as i where i.public_name in ('time__get_current_time', 'time__convert_time');
create function pg_temp.asked(p_principal text, p_goal text, p_successes integer default 1, p_at timestamptz default now()) returns void language sql as $$
    with receipt as (
        insert into selection.receipt (created_at, principal_id, kind, goal, mode, offered, duration_ms)
        select p_at, p.id, 'tool', p_goal, 'fast', '[]', 1 from policy.principal as p where p.name = p_principal
        returning id
    )
    insert into selection.outcome (receipt_id, ref, rank, calls, successes)
    select r.id, i.id, 1, 1, p_successes from receipt as r cross join catalog.item as i where i.public_name = 'time__get_current_time';
$$;
create function pg_temp.hint() returns text language sql as $$
    select u.hint from selection.utility as u inner join catalog.item as i on i.id = u.ref where i.public_name = 'time__get_current_time';
$$;
select pg_temp.asked('alice', 'What clock is it for the Hanako merger, sk-abc123?'), pg_temp.asked('alice', 'hanako'), pg_temp.asked('bob', 'the CLOCK of Hanako, please');
select is(selection.refresh_hints(), '{"hints": 0}', 'two principals are too few');
select is(pg_temp.hint(), '', 'what one or two asked stays theirs');
select pg_temp.asked('carol', 'clock now', 0), pg_temp.asked('carol', 'clock', 1, now() - interval '40 days');
select is(selection.refresh_hints(), '{"hints": 0}', 'calls that failed or are old do not count');
select pg_temp.asked('carol', 'clock and current time');
select selection.refresh_hints();
select is(pg_temp.hint(), 'clock', 'a word of three principals is one; stop words, other words and words of the name are none');
update core.setting as s set value = '1' where s.name = 'list.hint_principals';
select pg_temp.asked('bob', (select string_agg('word' || chr(97 + n) || chr(97 + n), ' ') from generate_series(0, 25) as n));
select selection.refresh_hints();
select ok(pg_temp.hint() like 'clock hanako %' and octet_length(pg_temp.hint()) between 100 and 120, 'most used first, at most 120 bytes');
select ok(pg_temp.hint() !~ 'abc', 'only whole words of letters');
delete from selection.outcome;
select selection.refresh_hints();
select is(pg_temp.hint(), '', 'what is gone leaves the hint');

select * from finish();
rollback;
