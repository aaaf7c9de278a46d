-- Lets the login that installs run SQL with the rights of qm_owner. Code of the owner must never run with the rights of
-- the login, and neither may a text from a table. "set role qm_owner" does not ensure this: any function, trigger,
-- policy, default or view of the owner could run "reset role". So the SQL runs in a security definer function of
-- qm_owner, in which PostgreSQL refuses to change the role. The login itself runs only files of the installation that
-- read the system catalog.
--   pg_temp.as_owner(sql): runs SQL, and keeps its changes;
--   pg_temp.ask_owner(query): returns the rows of a query as JSON, and rolls back its changes.
-- Each call creates the function of the owner again, because code of the owner may have replaced the function.
drop function if exists
pg_temp.let_owner_run(text, boolean),
pg_temp.as_owner(text),
pg_temp.ask_owner(text);

create function pg_temp.let_owner_run(p_sql text, p_is_query boolean)
returns json
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_answer json;
begin
    -- Whoever owns it now: the next statement gives it to qm_owner.
    execute $create$
    create or replace function pg_temp.owner_runs(p_sql text, p_is_query boolean)
    returns json
    language plpgsql
    volatile parallel unsafe security definer
    set search_path = pg_catalog, pg_temp
    as $inner$
    declare
        v_answer json;
    begin
        if current_user <> 'qm_owner' then
            raise exception using
                errcode = 'QM500', constraint = 'install_failed',
                message = 'the SQL of qm_owner would run as ' || current_user, hint = 'Run the command again.';
        end if;
        if p_is_query then
            execute format(E'select coalesce(json_agg(row_to_json(q)), ''[]'') from (%s\n) as q', p_sql) into v_answer;
        else
            execute p_sql;
        end if;
        return v_answer;
    end
    $inner$
    $create$;
    if (select r.rolsuper from pg_roles as r where r.rolname = current_user) then
        alter function pg_temp.owner_runs(text, boolean) owner to qm_owner;
    elsif not exists (
        -- A constant of the type regprocedure would be that of an earlier call, whose function is gone.
        select from pg_proc as p
        where p.oid = to_regprocedure('pg_temp.owner_runs(text, boolean)') and p.proowner = 'qm_owner'::regrole
    ) then
        -- Only somebody who may make temporary objects may get one.
        execute format('grant temporary on database %I to qm_owner', current_database());
        alter function pg_temp.owner_runs(text, boolean) owner to qm_owner;
        execute format('revoke temporary on database %I from qm_owner', current_database());
    end if;
    v_answer := pg_temp.owner_runs(p_sql, p_is_query);
    -- What the owner runs may have set another path.
    perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    return v_answer;
end
$function$;

create function pg_temp.as_owner(p_sql text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform pg_temp.let_owner_run(p_sql, false);
end
$function$;

create function pg_temp.ask_owner(p_query text)
returns json
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_answer json;
begin
    begin
        v_answer := pg_temp.let_owner_run(p_query, true);
        raise exception using errcode = 'QM000', message = 'take back';
    exception
        when sqlstate 'QM000' then
            return v_answer;
    end;
end
$function$;
