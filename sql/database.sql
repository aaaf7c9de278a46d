-- Sets the rights and settings of the database itself. (A copy of the database does not have them.) If the database is
-- shared with others (sql/shared.sql), the rights of the others do not change.
do $do$
begin
    execute pg_catalog.format('grant create on database %I to qm_owner', pg_catalog.current_database());
    execute pg_catalog.format(
        'grant connect on database %I to qm_user, qm_service, qm_owner', pg_catalog.current_database()
    );
    if pg_catalog.current_setting('qm.shared', true) = 'on' then
        return;
    end if;
    -- With this setting, people can type `select * from select_tools('...')` in psql, without the
    -- name of the schema.
    execute pg_catalog.format('alter database %I set search_path = "$user", public, api', pg_catalog.current_database());
    -- Only roles of Quartermaster connect, because every session can send notifications and take advisory locks.
    -- Temporary objects are refused to them, too.
    execute pg_catalog.format('revoke connect, temporary on database %I from public', pg_catalog.current_database());
    -- In a database from before PostgreSQL 15, everybody could make a function `select_tools` that hides ours.
    if exists (
        select from pg_catalog.pg_namespace as n
        where n.nspname = 'public' and pg_catalog.has_schema_privilege('public', n.oid, 'create')
    ) then
        revoke create on schema public from public;
    end if;
end
$do$;
