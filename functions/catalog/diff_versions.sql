create or replace function catalog.diff_versions(p_item_id bigint, p_from integer, p_to integer)
returns table (member text, before text, after text)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with leaf as (
        select v.version, f.path, f.value
        from catalog.item as i
        inner join search.kind as k on k.name = i.kind
        inner join catalog.item_version as v on v.item_id = i.id
        cross join lateral unnest(catalog.each_definition(k.version_function, array[v.definition])) as p (part)
        cross join lateral catalog.flatten(p.part) as f
        where i.id = p_item_id and v.version in (p_from, p_to) and f.value <> 'null'
    )

    select path, b.value #>> '{}', a.value #>> '{}'
    from (select l.path, l.value from leaf as l where l.version = p_from) as b
    full join (select l.path, l.value from leaf as l where l.version = p_to) as a using (path)
    where b.value is distinct from a.value
    order by path collate "C";
$function$;
comment on function catalog.diff_versions(bigint, integer, integer) is
'Compares two versions of an item, member by member, down to the leaves of the schemas. Arguments: p_item_id: id of '
'the item; p_from: number of the first version; p_to: number of the second version. Returns for each member that '
'differs: the path of the member (such as description or input_schema/properties/url/type), the value in the first '
'version, and the value in the second version (null: this version does not have the member).';
grant execute on function catalog.diff_versions to qm_reader;
