-- Creates functions for the session that installs. With them, the installation makes the functions and views of the
-- database equal to those of the files: a file replaces its function, and a function or view without a file is dropped.
-- Our functions are those that qm_owner or qm_reader own in our schemas (the setting qm.schemas), except aggregates,
-- which migrations create. Functions of other owners do not change. Triggers and row policies depend on our functions;
-- sql/reset drops them, and later files create them again. Any other object that depends on a function belongs to
-- people. If such a function must be dropped, the installation raises an error that names the object, and changes
-- nothing.
-- A kind folder that the settings no longer name keeps its functions, unless they are in our schemas.
-- The file can run several times in one session.
drop function if exists
pg_temp.ours(text),
pg_temp.views(),
pg_temp.drop_unused(text),
pg_temp.drop_ours(text),
pg_temp.replace_function(text, text),
pg_temp.replace_view(text, text),
pg_temp.drop_views(),
pg_temp.drop_triggers(),
pg_temp.drop_leftovers(text[]);

create function pg_temp.ours(p_name text)
returns table (id oid, version tid, acl aclitem[], owner oid)
language sql
stable parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p.oid, p.ctid, p.proacl, p.proowner
    from pg_proc as p
    where
        p.proname = split_part(p_name, '.', 2)
        and p.pronamespace = split_part(p_name, '.', 1)::regnamespace
        and p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole)
        and p.prokind <> 'a';
$function$;

create function pg_temp.views()
returns table (relation regclass, version tid, acl aclitem[], owner oid)
language sql
stable parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select c.oid, r.ctid, c.relacl, c.relowner
    from pg_class as c
    inner join pg_rewrite as r on r.ev_class = c.oid
    where
        c.relkind = 'v'
        and c.relowner = 'qm_owner'::regrole
        and c.relnamespace::regnamespace::text = any(string_to_array(current_setting('qm.schemas'), ','));
$function$;

-- Drops a function or a view. Returns what depends on it, if it cannot be dropped.
create function pg_temp.drop_unused(p_what text)
returns text
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_dependents text;
begin
    execute 'drop ' || p_what;
    return null;
exception
    when dependent_objects_still_exist then
        get stacked diagnostics v_dependents = pg_exception_detail;
        return v_dependents;
end
$function$;

create function pg_temp.drop_ours(p_what text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_dependents constant text := pg_temp.drop_unused(p_what);
begin
    if v_dependents is not null then
        raise exception using
            errcode = 'QM409', constraint = 'still_used',
            message = 'this version replaces or drops the ' || p_what || ', and other objects depend on it: '
            || replace(v_dependents, E'\n', '; '),
            hint = 'Drop those objects, run qm install, and create them again. If they are policies or triggers of'
            ' Quartermaster, run qm install without --functions-only. Nothing was changed.';
    end if;
end
$function$;

-- Runs the file of a function. A function whose result, arguments or defaults have changed is dropped and created again,
-- and other roles get their rights on it again. Functions of the same name that the file does not create are dropped.
create function pg_temp.replace_function(p_name text, p_file text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_before constant jsonb := (select jsonb_object_agg(o.id, o.version) from pg_temp.ours(p_name) as o);
    v_grant text;
    v_grants text [];
    v_old regprocedure;
begin
    if v_before is null then
        execute p_file;
        return;
    end if;
    v_grants := array(
        select distinct format('%I%s', g.grantee::regrole, case when g.is_grantable then ' with grant option' end)
        from pg_temp.ours(p_name) as o
        cross join aclexplode(o.acl) as g
        where g.grantee <> 0 and g.grantee <> o.owner
    );
    begin
        execute p_file;
    exception
        when invalid_function_definition or ambiguous_function or wrong_object_type then
            for v_old in select o.id from pg_temp.ours(p_name) as o loop
                perform pg_temp.drop_ours(format('routine %s', v_old));
            end loop;
            execute p_file;
    end;
    for v_old in select o.id from pg_temp.ours(p_name) as o where v_before ->> o.id::text = o.version::text loop
        perform pg_temp.drop_ours(format('routine %s', v_old));
    end loop;
    foreach v_grant in array v_grants loop
        for v_old in
            select o.id from pg_temp.ours(p_name) as o where v_before ->> o.id::text is null
        loop
            execute format('grant execute on routine %s to %s', v_old, v_grant);
        end loop;
    end loop;
end
$function$;

-- Drops our views, so that their columns may change, and notes the rights of other roles on them. If another object
-- depends on a view, the view stays, and its file replaces it.
create function pg_temp.drop_views()
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_grants constant text [] := array(
        select
            format(
                'grant %s%s on %s to %I%s', g.privilege_type, '(' || quote_ident(g.attname) || ')', g.relation,
                g.grantee::regrole, case when g.is_grantable then ' with grant option' end
            )
        from (
            select v.relation, null as attname, v.owner, a.* from pg_temp.views() as v, aclexplode(v.acl) as a
            union all
            select v.relation, c.attname, v.owner, a.*
            from pg_temp.views() as v
            inner join pg_attribute as c on c.attrelid = v.relation
            cross join aclexplode(c.attacl) as a
        ) as g
        where g.grantee <> 0 and g.grantee <> g.owner
    );
    v_view regclass;
begin
    perform set_config('qm.view_grants', array_to_json(v_grants)::text, true);
    for v_view in select v.relation from pg_temp.views() as v loop
        perform pg_temp.drop_unused(format('view %s', v_view));
    end loop;
    perform set_config('qm.views_kept', coalesce((
        select jsonb_object_agg(v.relation::oid, v.version)::text from pg_temp.views() as v
    ), '{}'), true);
end
$function$;

-- Runs the file of a view. The view is still there if another object depends on it; its file can then add columns at the
-- end, and no others.
create function pg_temp.replace_view(p_name text, p_file text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    execute p_file;
exception
    when invalid_table_definition then
        perform pg_temp.drop_ours('view ' || p_name);
        execute p_file;
end
$function$;

-- Drops the triggers on our tables that call our functions, because these functions are those of an older release until
-- the files of this release have run. The triggers of the kinds that come with Quartermaster are dropped, too.
create function pg_temp.drop_triggers()
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_schemas text [] := string_to_array(current_setting('qm.schemas'), ',');
    v_trigger record;
begin
    if to_regclass('core.kind_folder') is not null then
        -- Releases before this one lack the column is_shipped.
        v_schemas := v_schemas || array(
            select s.name
            from (select to_jsonb(f) as row from core.kind_folder as f) as f
            cross join jsonb_array_elements_text(f.row -> 'schemas') as s (name)
            where (f.row ->> 'is_shipped')::boolean
        );
    end if;
    for v_trigger in
        select
            t.tgname,
            t.tgrelid::regclass as on_table
        from pg_trigger as t
        inner join pg_class as c on c.oid = t.tgrelid
        inner join pg_proc as p on p.oid = t.tgfoid
        where
            not t.tgisinternal
            and t.tgparentid = 0 -- the trigger of a partition goes with that of its table
            and c.relnamespace::regnamespace::text = any(v_schemas)
            and p.pronamespace::regnamespace::text = any(v_schemas)
            and p.proowner = 'qm_owner'::regrole
    loop
        execute format('drop trigger %I on %s', v_trigger.tgname, v_trigger.on_table);
    end loop;
end
$function$;

-- Drops functions and views that no file of this version or of a kind folder has created. Views that were created again
-- get back the rights of other roles.
create function pg_temp.drop_leftovers(p_functions text[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_before constant jsonb := current_setting('qm.functions_before');
    v_kept constant jsonb := coalesce(nullif(current_setting('qm.views_kept', true), ''), '{}');
    v_grants constant jsonb := coalesce(nullif(current_setting('qm.view_grants', true), ''), '[]');
    v_left text;
begin
    for v_left in
        select format('view %s', v.relation)
        from pg_temp.views() as v
        where v_kept ->> v.relation::oid::text = v.version::text
        union all
        select format('routine %s', p.oid::regprocedure)
        from pg_proc as p
        where
            p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole)
            and p.prokind <> 'a'
            and p.pronamespace::regnamespace::text = any(string_to_array(current_setting('qm.schemas'), ','))
            and format('%s.%s', p.pronamespace::regnamespace, p.proname) <> all(p_functions)
            and v_before ->> p.oid::text = p.ctid::text
    loop
        perform pg_temp.drop_ours(v_left);
    end loop;
    for v_left in
        select g.statement
        from jsonb_array_elements_text(v_grants) as g (statement)
        inner join pg_temp.views() as v on strpos(g.statement, format(' on %s to ', v.relation)) > 0
    loop
        execute v_left;
    end loop;
end
$function$;
