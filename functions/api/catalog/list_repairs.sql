-- api.list_repairs: row policies decide which repairs operators see.
create or replace function api.list_repairs(
    name text default null, of_origin text default null, history boolean default false
)
returns table (
    origin text, tool text, own_name text, version integer, is_current boolean, changes jsonb, notices text[],
    reason text, made_at timestamptz, made_by text
)
language plpgsql
stable parallel safe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if list_repairs.name is not null then
        perform catalog.item_id(array[search.default_kind()], list_repairs.name);
    end if;
    if list_repairs.of_origin is not null then
        perform catalog.origin_id(list_repairs.of_origin);
    end if;
    return query
    select
        o.name,
        i.public_name,
        r.tool,
        r.version,
        r.is_current,
        r.changes,
        array(
            select a.sentence
            from jsonb_array_elements_text(i.definition #> '{repair,aside}') with ordinality as a (sentence, position)
            where r.is_current
            order by a.position
        ),
        r.reason,
        r.made_at,
        p.name
    from catalog.repair as r
    inner join catalog.origin as o on o.id = r.origin_id and o.status <> 'removed'
    left join catalog.item as i on i.origin_id = r.origin_id and i.kind = search.default_kind() and i.name = r.tool
    left join policy.principal as p on p.id = r.made_by
    where (list_repairs.name is null or i.public_name = list_repairs.name)
        and (list_repairs.of_origin is null or o.name = list_repairs.of_origin)
        and (list_repairs.history or r.is_current and r.changes <> '{}')
    order by o.name, r.tool nulls first, r.version;
end
$function$;
comment on function api.list_repairs(text, text, boolean) is
'Lists the repairs of definitions. Arguments: name: callable name of a tool (null: all tools, and repairs of whole '
'origins); of_origin: name of an origin (null: all origins); history: true to list earlier versions, too. Returns for '
'each repair: the origin; the callable name of the tool and the origin''s own name of the tool (both null: the repair '
'applies to all tools of the origin); the version; whether it is the current version; the changes, as in '
'api.repair_tool; sentences about changes that are set aside, because they do not fit the definition that the origin '
'lists now; the reason; the time; and who made the repair. Raises QM404 tool_not_found, origin_not_found. Can be null: '
'tool, own_name, made_by.';
alter function api.list_repairs owner to qm_reader;
grant execute on function api.list_repairs to qm_operator;
