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
    end if;
    set local session authorization qm_service;
    execute format('set local role %I', p_role);
    perform set_config('qm.principal', coalesce(v_id::text, ''), true);
end
$$;
comment on function t.act_as(text, text) is 'Acts as a principal through the service''s login, in one of its three roles, until the end of the transaction.';
