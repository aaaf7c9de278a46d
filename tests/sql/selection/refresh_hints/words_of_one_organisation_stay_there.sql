begin;
select plan(4);

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
select api.put_organisation('acme'), api.put_organisation('other'), t.make_principal('dora');
select pg_temp.asked(n, 'clock') from unnest('{alice,bob,carol}'::text[]) as n;
update policy.principal set organisation_id = (select o.id from policy.organisation as o where o.name = 'acme') where name in ('alice', 'bob', 'carol');
select selection.refresh_hints();
select is(pg_temp.hint(), 'clock', 'with one organisation, its words are for all');
update policy.principal set organisation_id = (select o.id from policy.organisation as o where o.name = 'other') where name = 'dora';
select selection.refresh_hints();
select is(pg_temp.hint(), '', 'with two, what only one of them asked stays there');
select pg_temp.asked('dora', 'clock');
select selection.refresh_hints();
select is(pg_temp.hint(), 'clock', 'a word of both is one for all');
delete from selection.outcome as o using selection.receipt as r where r.id = o.receipt_id and r.principal_id = (select p.id from policy.principal as p where p.name = 'dora');
update policy.principal set organisation_id = null where name = 'carol';
select selection.refresh_hints();
select is(pg_temp.hint(), 'clock', 'who is in no organisation counts as of another one');

select * from finish();
rollback;
