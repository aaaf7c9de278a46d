begin;
select plan(2);

create function pg_temp.is_shared() returns boolean language sql as $$
    select exists (
        select from pg_locks as l
        where l.pid = pg_backend_pid() and l.relation = 'policy.subject_rights'::regclass and l.mode = 'RowExclusiveLock'
    );
$$;
select is(pg_temp.is_shared(), false, 'no lock');
update catalog.origin set description = '' where false;
select is(pg_temp.is_shared(), true, 'even one that writes no row');

select * from finish();
rollback;
