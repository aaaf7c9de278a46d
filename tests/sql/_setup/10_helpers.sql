-- Schema t: what tests need and production must not have. Loaded into the template database of the tests only.
create schema t;
grant usage on schema t to public;

-- The settable clock: t.at() stops it, in this transaction; without that it goes.
create or replace function core.now()
returns timestamptz
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(nullif(current_setting('t.now', true), '')::timestamptz, statement_timestamp());
$function$;

create function t.at(p_moment timestamptz) returns void
language sql as $$
    select set_config('t.now', p_moment::text, true);
$$;
comment on function t.at(timestamptz) is 'Sets the clock of core.now() until the end of the transaction.';

-- Back to the superuser, to arrange or to look behind the policies.
create function t.act_as_superuser() returns void
language plpgsql as $$
begin
    perform set_config('qm.principal', '', true), set_config('qm.toolset', '', true);
    set local session authorization default;
    perform t.lend_role(null, null);
end
$$;

-- Gives a principal another role, without a trace, until t.act_as_superuser() gives its own back. It does nothing where
-- no role changes: with session_replication_role, PostgreSQL forgets all plans of the session.
create function t.lend_role(p_id bigint, p_role text) returns void
language plpgsql as $$
declare
    v_lent constant jsonb := nullif(current_setting('t.lent', true), '');
begin
    if v_lent is null and not exists (select from policy.principal as p where p.id = p_id and p.role <> p_role) then
        return;
    end if;
    set local session_replication_role = replica;
    update policy.principal as p set role = v_lent ->> 'role' where p.id = (v_lent ->> 'id')::bigint;
    perform set_config('t.lent', '', true);
    perform set_config('t.lent', jsonb_build_object('id', p.id, 'role', p.role)::text, true)
    from policy.principal as p where p.id = p_id and p.role <> p_role;
    update policy.principal as p set role = p_role where p.id = p_id and p.role <> p_role;
    set local session_replication_role = origin;
end
$$;

-- What the service does at the beginning of each transaction; null is a session without a principal.
create function t.act_as(p_principal text, p_role text default 'qm_user') returns void
language plpgsql as $$
declare
    v_id bigint;
begin
    perform t.act_as_superuser();
    if p_principal is not null then
        select p.id into strict v_id from policy.principal as p where p.name = p_principal;
        perform t.lend_role(v_id, replace(p_role, 'qm_', ''));
    end if;
    set local session authorization qm_service;
    execute format('set local role %I', p_role);
    perform set_config('qm.principal', coalesce(v_id::text, ''), true);
end
$$;
comment on function t.act_as(text, text) is 'Acts as a principal through the service''s login, in one of its three roles, until the end of the transaction.';

-- The same with the rights of qm_reader as well: the rows of tables are those that an operation would read, and the
-- functions that operations call can be called alone. What is refused to a role is tested with t.act_as. Roles of tests have both rights, and only the service's login of
-- tests can take them.
do $do$
declare
    v_role text;
begin
    foreach v_role in array array['user', 'operator', 'admin'] loop
        if to_regrole('qm_test_' || v_role) is null then
            execute format('create role %I', 'qm_test_' || v_role);
        end if;
        execute format('grant qm_reader, %I to %I', 'qm_' || v_role, 'qm_test_' || v_role);
        execute format('grant %I to qm_service', 'qm_test_' || v_role);
    end loop;
    grant qm_test_user to qm_test_operator;
    grant qm_test_operator to qm_test_admin;
end
$do$;
create function t.read_as(p_principal text, p_role text default 'qm_user') returns void
language plpgsql as $$
begin
    perform t.act_as(p_principal, p_role);
    execute format('set local role %I', replace(p_role, 'qm_', 'qm_test_'));
end
$$;
comment on function t.read_as(text, text) is 'Acts as t.act_as does, with the rights of qm_reader as well.';
