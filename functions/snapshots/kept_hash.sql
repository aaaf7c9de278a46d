-- snapshots.kept_hash: computes the content hash of a snapshot's items.
create or replace function snapshots.kept_hash(p_snapshot_id bigint)
returns bytea
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select snapshots.content_hash(array_agg(k.kind), array_agg(k.name), array_agg(k.definition_hash)) from snapshots.kept(p_snapshot_id) as k;
$function$;
comment on function snapshots.kept_hash(bigint) is
'Argument: snapshot. See snapshots.content_hash; covers its items of every kind.';
