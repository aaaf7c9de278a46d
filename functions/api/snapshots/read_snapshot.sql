-- Definer: the rules may hide rows of catalog.item and catalog.item_version from administrators, too. They still get
-- these rows here, because a snapshot must contain all items.
create or replace function api.read_snapshot(name text, after bigint default 0, maximum integer default 1000)
returns table (
    id bigint, state bigint, kind text, public_name text, own_name text, origin text, fields text[], body jsonb
)
language plpgsql
stable parallel safe security definer
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    v_id := snapshots.require_snapshot(read_snapshot.name);
    return query
    select
        m.item_id, m.version::bigint, i.kind, i.public_name, i.name, o.name,
        array(
            select search.split_identifiers(f.text)
            from unnest(
                array[
                    i.public_name,
                    o.name,
                    coalesce(v.definition ->> 'description', ''),
                    catalog.schema_text(v.definition - 'repair')
                ]
            ) as f (text)
        ),
        jsonb_build_object('version', v.version, 'rights_class', i.rights_class, 'definition', v.definition)
    from snapshots.member as m
    inner join catalog.item as i on i.id = m.item_id
    inner join catalog.origin as o on o.id = i.origin_id
    inner join catalog.item_version as v on v.item_id = m.item_id and v.version = m.version
    where m.snapshot_id = v_id and m.item_id > read_snapshot.after
    order by m.item_id
    limit read_snapshot.maximum;
end
$function$;
comment on function api.read_snapshot(text, bigint, integer) is
'Reads the items of a snapshot page by page, so that the service can write them to the signed file (artifact). '
'Arguments: name: name of the snapshot; after: id of the last item on the previous page; maximum: maximum number of '
'rows to return. Returns for each item, in the order of the ids: the id, the version, the kind, the public name, the '
'name at the origin, the origin, the searchable texts, and JSON with version, rights_class and definition. Raises '
'QM404 snapshot_not_found.';
grant execute on function api.read_snapshot to qm_admin;
