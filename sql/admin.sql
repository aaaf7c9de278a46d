-- Creates the schema core, which must exist before the first migration, and lets roles use the schema of the
-- extensions. Run this file as a superuser or as the owner of the database.
do $do$
begin
    if pg_catalog.to_regnamespace('core') is null then
        create schema core authorization qm_owner;
    end if;
    if pg_catalog.to_regnamespace('ext') is null then
        null;
    elsif pg_catalog.current_setting('qm.shared', true) = 'on' then
        grant usage on schema ext to qm_owner, qm_reader, qm_user, qm_service;
    else
        grant usage on schema ext to public;
    end if;
end
$do$;

-- Statistics and sizes also count hidden rows, and some statistics count the rows and pages that a function of the
-- current session read. Only a superuser can revoke the rights to them, and only for this database. Nothing is revoked
-- in a database that is shared with others (sql/shared.sql).
do $do$
declare
    v_function regprocedure;
begin
    if
        not (select r.rolsuper from pg_catalog.pg_roles as r where r.rolname = current_user)
        or pg_catalog.current_setting('qm.shared', true) = 'on'
    then
        return;
    end if;
    for v_function in
        select p.oid
        from pg_catalog.pg_proc as p
        where
            p.pronamespace = 'pg_catalog'::regnamespace
            and (
                p.proname like 'pg\_stat\_get\_%' and p.pronargs = 1 and p.proargtypes[0] = 'oid'::regtype
                or p.proname = any(
                    '{pg_relation_size,pg_table_size,pg_indexes_size,pg_total_relation_size,'
                    'pg_database_size,pg_tablespace_size,pg_stat_get_io,pg_stat_get_backend_io,'
                    'pg_stat_get_wal,pg_stat_get_backend_wal,pg_stat_get_slru,pg_stat_get_buf_alloc}'
                )
            )
    loop
        execute pg_catalog.format('revoke execute on function %s from public', v_function);
        execute pg_catalog.format('grant execute on function %s to qm_owner, pg_monitor', v_function);
    end loop;
    revoke select on pg_catalog.pg_class from public;
    execute (
        select pg_catalog.format(
            'grant select (%s) on pg_catalog.pg_class to public', pg_catalog.string_agg(a.attname, ', ' order by a.attnum)
        )
        from pg_catalog.pg_attribute as a
        where
            a.attrelid = 'pg_catalog.pg_class'::regclass
            and a.attname <> all('{reltuples,relpages,relallvisible,relallfrozen}')
    );
    grant select on pg_catalog.pg_class to qm_owner, pg_monitor;
end
$do$;

-- The statement has no "in schema", because default privileges for a single schema cannot remove
-- the default rights of PUBLIC.
alter default privileges for role qm_owner revoke execute on functions from public;
