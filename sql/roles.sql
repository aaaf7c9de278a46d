-- Creates the roles, and makes them members of each other. Run this file as a superuser, or as a role with CREATEROLE
-- that may grant the roles that exist already. qm_owner owns every object and cannot log in.
-- qm_service logs in and inherits no rights: for an operation that is not granted to it, it switches to one of the
-- three working roles. qm_reader cannot log in: the operations that read belong to this role, because row policies
-- restrict it. qm_user and qm_operator may run operations, and may read no table.
do $do$
declare
    v_roles constant text[] := pg_catalog.string_to_array(pg_catalog.current_setting('qm.roles'), ',');
    v_role text;
    v_found pg_catalog.pg_roles;
    v_attributes text;
    v_foreign text;
begin
    foreach v_role in array v_roles loop
        v_attributes := case v_role when 'qm_service' then 'login noinherit' else 'nologin inherit' end;
        select r.* into v_found
        from pg_catalog.pg_roles as r
        where r.rolname = v_role;
        if v_found is null then
            execute pg_catalog.format('create role %I %s', v_role, v_attributes);
        elsif v_found.rolcanlogin <> (v_role = 'qm_service') or v_found.rolinherit = (v_role = 'qm_service') then
            execute pg_catalog.format('alter role %I %s', v_role, v_attributes);
        end if;
        if v_found.rolsuper or v_found.rolbypassrls then
            execute pg_catalog.format('alter role %I nosuperuser nobypassrls', v_role);
        end if;
    end loop;
    if (select r.rolsuper from pg_catalog.pg_roles as r where r.rolname = current_user) then
        return;
    end if;
    select pg_catalog.string_agg(r.role, ', ') into v_foreign
    from pg_catalog.unnest(v_roles) as r (role)
    where not pg_catalog.pg_has_role(current_user, r.role, 'member with admin option');
    if v_foreign is not null and pg_catalog.current_setting('server_version_num')::integer >= 160000 then
        raise exception 'another login has created these roles in this cluster, and % may not grant them: %', current_user, v_foreign
        using
            errcode = 'QM403', constraint = 'not_permitted',
            hint = pg_catalog.format(
                'That login, or a superuser, must run: grant %s to %I with admin option;', v_foreign, current_user
            );
    end if;
    -- A role that has CREATEROLE but is not a superuser must be a member of qm_owner to act as the
    -- owner.
    execute pg_catalog.format('grant qm_owner, qm_admin to %I', current_user);
end
$do$;

grant qm_user to qm_operator;
grant qm_operator to qm_admin;
grant qm_user, qm_operator, qm_admin to qm_service;
-- The owner may give functions to qm_reader, and replace them.
grant qm_reader to qm_owner;

do $do$
begin
    -- The owner ends sessions that take too much, and the service keeps connections of its own. A server that does not
    -- grant this works without both; the capability session_limits tells.
    begin
        grant pg_signal_backend, pg_read_all_stats to qm_owner;
        if pg_catalog.current_setting('server_version_num')::integer >= 160000 then
            execute 'grant pg_use_reserved_connections to qm_service with inherit true';
        end if;
    exception
        when insufficient_privilege then
            null;
    end;
end
$do$;

do $do$
declare
    v_language name;
begin
    -- The owner runs the rest of the installation. Somebody may have revoked this from public.
    for v_language in
        select l.lanname
        from pg_catalog.pg_language as l
        where
            l.lanname = any('{plpgsql,sql}')
            and not pg_catalog.has_language_privilege('qm_owner', l.oid, 'usage')
    loop
        execute pg_catalog.format('grant usage on language %I to qm_owner', v_language);
    end loop;
end
$do$;
