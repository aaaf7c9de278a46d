-- Revokes from people who log in to this database the functions with which one session could hold or fill what all
-- sessions share (core.withheld_functions). Also limits the temporary files of their sessions. The rights of all roles
-- in this database change. The installer therefore requests it (setting qm.limit_logins) only for the embedded server,
-- or if the administrator agreed (qm install --limit-logins). Only a superuser can do it. Other databases of the server
-- do not change.
do $do$
declare
    v_withheld record;
begin
    if coalesce(current_setting('qm.limit_logins', true), '') <> 'on' then
        return;
    end if;
    if current_setting('qm.shared', true) = 'on' then
        raise exception 'the database % is shared with others, and the limits would take rights from them',
            current_database()
        using
            errcode = 'QM409', constraint = 'database_shared',
            hint = 'Leave out --limit-logins; or install into a database of its own: create database quartermaster.';
    end if;
    if not (select r.rolsuper from pg_roles as r where r.rolname = current_user) then
        raise exception 'only a superuser can limit the logins of a database, and % is none', current_user
        using
            errcode = 'QM403', constraint = 'not_permitted',
            hint = 'Run qm install --limit-logins with the DSN of a superuser.';
    end if;
    for v_withheld in select w.function, w.needed_by from pg_temp.withheld_functions() as w loop
        execute format('revoke execute on function %s from public', v_withheld.function);
        if v_withheld.needed_by <> '{}' then
            execute format(
                'grant execute on function %s to %s',
                v_withheld.function, (select string_agg(quote_ident(r), ', ') from unnest(v_withheld.needed_by) as r)
            );
        end if;
    end loop;
    -- No session of a login can raise these two. The settings of a role do not hold for its members, so they are those
    -- of the database, and the service and the administrator are exempt. The texts of statements are kept in a file.
    execute format('alter database %I set temp_file_limit = %L', current_database(), '256MB');
    execute format('alter role qm_service in database %I set temp_file_limit = -1', current_database());
    execute format('alter role %I in database %I set temp_file_limit = -1', current_user, current_database());
    if current_setting('pg_stat_statements.track', true) is not null then
        execute format('alter database %I set pg_stat_statements.track = none', current_database());
        execute format('alter role qm_service in database %I set pg_stat_statements.track = top', current_database());
        execute format(
            'alter role %I in database %I set pg_stat_statements.track = top', current_user, current_database()
        );
    end if;
end
$do$;
