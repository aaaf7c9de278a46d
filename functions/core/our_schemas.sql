create or replace function core.our_schemas()
returns table (oid oid, name name, owner text)
language sql
stable parallel safe security invoker
rows 20
set search_path = pg_catalog, pg_temp
as $function$
    select n.oid, n.nspname as name, n.nspowner::regrole::text as owner
    from pg_namespace as n
    where n.nspname = any(
        '{
            api, audit, calls, catalog, core, jobs, policy, projects, search, selection, service, snapshots, stats
        }'::name[]
    )
    or exists (
        select from core.kind_folder as f where f.is_shipped and n.nspname::text collate core.c_utf8 = any(f.schemas)
    );
$function$;
comment on function core.our_schemas() is
'Lists the schemas of Quartermaster and of the kinds that come with it. Returns the oid, the name and the owner of '
'each schema.';
