-- snapshots.offered_assets: every resource, template and prompt that is offered now, in its version.
create or replace function snapshots.offered_assets()
returns table (asset_id bigint, origin_id bigint, name text, version integer, definition_hash bytea)
language sql
stable parallel safe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    select a.id, a.origin_id, a.kind || ' ' || a.public_name, v.version, snapshots.definition_hash(v.definition)
    from catalog.asset as a
    inner join catalog.asset_version as v on v.asset_id = a.id and v.valid_to is null
    where a.is_live;
$function$;
comment on function snapshots.offered_assets() is 'Id, origin, name (its kind, a space, its public name), version and hash of the definition of every live resource, template and prompt.';
