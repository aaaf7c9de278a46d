-- search.missing_indexes: search.create_vector_indexes and search.put_kind create these indexes. One is missing only if
-- somebody has dropped it. Searches then find the same cards, but slowly.
create or replace function search.missing_indexes()
returns setof text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select format('search.%I', w.name)
    from (
        select format('embedding_%s_%s_idx', k.name, m.id)
        from search.kind as k
        cross join search.model as m
        union all
        select format('card_%s_label_idx', k.name)
        from search.kind as k
        where k.index_type <> 'names'
    ) as w (name)
    where to_regclass(format('search.%I', w.name)) is null
    order by w.name;
$function$;
comment on function search.missing_indexes() is
'Lists the indexes for embedding models and kinds of card that do not exist. An installation creates them.';
