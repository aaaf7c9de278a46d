-- snapshots.current_hash: returns the content hash of the present catalog.
create or replace function snapshots.current_hash()
returns bytea
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select snapshots.content_hash(array_agg(o.kind), array_agg(o.name), array_agg(o.definition_hash)) from snapshots.offered() as o;
$function$;
comment on function snapshots.current_hash() is 'See snapshots.content_hash; covers the items of every kind.';
