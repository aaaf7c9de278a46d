-- api.read_snapshot: the items of one kind in a snapshot, page by page, for its artifact.
-- Definer because definitions of all principals are read; executable by administrators.
-- Raises: QM404 snapshot_not_found.
create or replace function api.read_snapshot(name text, after bigint default 0, maximum integer default 1000, kind text default 'tool')
returns table (
    item_id bigint, callable_name text, origin text, brief text, version integer, rights_class integer, definition jsonb
)
language plpgsql
stable parallel safe security definer
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_id bigint;
begin
    perform policy.require_principal();
    v_id := snapshots.require_snapshot(read_snapshot.name);
    return query
    select m.item_id, i.public_name, o.name, catalog.brief(v.definition ->> 'description'), v.version, i.rights_class, v.definition
    from snapshots.member as m
    inner join catalog.item as i on i.id = m.item_id and i.kind = read_snapshot.kind
    inner join catalog.origin as o on o.id = i.origin_id
    inner join catalog.item_version as v on v.item_id = m.item_id and v.version = m.version
    where m.snapshot_id = v_id and m.item_id > read_snapshot.after
    order by m.item_id
    limit read_snapshot.maximum;
end
$function$;
comment on function api.read_snapshot(text, bigint, integer, text) is 'Arguments: name; id of the last item of the page before; how many; kind. Returns the item''s id, public name, origin, one line, version, rights class and definition, by id.';
grant execute on function api.read_snapshot to qm_admin;
