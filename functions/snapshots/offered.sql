-- snapshots.offered: lists every item that is offered now, with its version.
create or replace function snapshots.offered()
returns table (id bigint, kind text, origin_id bigint, name text, version integer, definition_hash bytea)
language sql
stable parallel safe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    select i.id, i.kind, i.origin_id, i.public_name, v.version, snapshots.definition_hash(v.definition)
    from catalog.item as i
    inner join catalog.item_version as v on v.item_id = i.id and v.valid_to is null
    where i.is_live;
$function$;
comment on function snapshots.offered() is
'Returns id, kind, origin, public name, version and hash of the definition of every live item.';
