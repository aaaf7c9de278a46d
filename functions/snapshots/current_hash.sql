-- snapshots.current_hash: the content hash of what is offered now.
create or replace function snapshots.current_hash()
returns bytea
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select snapshots.content_hash(array_agg(o.name), array_agg(o.hash))
    from (
        select t.callable_name as name, t.definition_hash as hash from snapshots.offered() as t
        union all
        select a.name, a.definition_hash from snapshots.offered_assets() as a
    ) as o;
$function$;
comment on function snapshots.current_hash() is 'See snapshots.content_hash: over tools, resources, templates and prompts together.';
