-- catalog.item_texts: the text of the name includes the name of the origin.
create or replace function catalog.item_texts(p_kind text, p_item_ids bigint[])
returns table (item_id bigint, version integer, member text, text text)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query execute format(
        $query$
        select i.id, i.version, m.member, string_agg(m.text, E'\n' order by m.place)
        from catalog.item as i
        inner join catalog.origin as o on o.id = i.origin_id
        cross join lateral (
            select 1 as place, 'name' as member, concat_ws(E'\n', o.name, i.name) as text
            union all
            select 2, t.member, t.text
            from %s(i.definition) as t
        ) as m
        where i.kind = $1 and i.id = any($2) and m.text <> ''
        group by i.id, i.version, m.member
        $query$,
        (
            select coalesce(k.texts_function, 'catalog.definition_texts')::regproc
            from search.kind as k
            where k.name = p_kind
        )
    )
    using p_kind, p_item_ids;
end
$function$;
comment on function catalog.item_texts(text, bigint[]) is
'Finds the texts of items that a model reads. Arguments: p_kind: kind of card; p_item_ids: ids of the items. Returns '
'for the newest version of each item the name of the item, and the texts that the kind''s texts_function returns. With '
'each text, returns the name that scan rules use for the text.';
