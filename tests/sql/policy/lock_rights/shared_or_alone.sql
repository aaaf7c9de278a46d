begin;
select plan(3);

create function pg_temp.locks() returns text[] language sql as $$
    select coalesce(array_agg(l.mode order by l.mode), '{}') from pg_locks as l
    where l.pid = pg_backend_pid() and l.relation = 'policy.subject_rights'::regclass and l.mode <> 'AccessShareLock';
$$;
select is(pg_temp.locks(), '{}', 'no lock');
select policy.lock_rights(false);
select is(pg_temp.locks(), '{RowExclusiveLock}', 'writers of cards share theirs');
select policy.lock_rights(true);
select is(pg_temp.locks(), '{RowExclusiveLock,ShareRowExclusiveLock}', 'who changes rules has it alone');

select * from finish();
rollback;
