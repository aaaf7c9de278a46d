-- catalog.search_past: some items are still offered unchanged. To find them, the function reads more and more results
-- from the search channels, until enough of the results existed at the given time. Definitions that are no longer
-- offered are scored separately (search.score_cards). All results are ranked by fusion, because the learned score fits
-- today's items. Today's rights apply, not the rights at the given time.
-- Definer: callers have no permission to read search.lexical and search.embedding. They still get only items that they
-- may see, because catalog.past_cards, search.bm25, search.dense and search.fuzzy check policy.is_visible.
create or replace function catalog.search_past(
    p_kind text,
    p_query text,
    p_vector ext.vector,
    p_as_of timestamptz,
    p_lexical integer,
    p_dense integer,
    p_fuzzy integer,
    p_ef_search integer,
    p_weights real[]
)
returns table (item_id bigint, version integer, score real, lexical real, dense real, fuzzy real, sources text[])
language plpgsql
volatile parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    -- The limit is 400, because search.dense reads two and a half times as many cards if some cards are hidden from the
    -- caller, and hnsw.ef_search can be at most 1000.
    v_most_dense constant integer := 400;
    v_goal constant ext.vector := (search.split_vector(p_vector))[1];
    v_cards jsonb;
    v_card_ids bigint[];
    v_sources text[];
    v_depth integer;
    v_is_enough boolean;
begin
    perform policy.require_principal();
    v_cards := catalog.past_cards(p_kind, p_as_of);
    foreach v_depth in array '{1,4,16,64}'::integer[] loop
        with found as materialized (
            select l.card_id, 'lexical' as source, p_lexical as wanted, p_lexical * v_depth as asked
            from search.bm25(p_kind, p_query, p_lexical * v_depth) as l
            union all
            select d.card_id, 'dense', p_dense, least(p_dense * v_depth, v_most_dense)
            from search.dense(p_kind, v_goal, least(p_dense * v_depth, v_most_dense), p_ef_search) as d
            union all
            select z.card_id, 'fuzzy', p_fuzzy, p_fuzzy * v_depth
            from search.fuzzy(p_kind, p_query, p_fuzzy * v_depth) as z
        ),

        told as (
            select f.*, exists (
                select from catalog.item as i
                inner join catalog.offer as o on o.item_id = i.id and o.version = i.version
                where i.id = c.ref and o.valid_from <= p_as_of and (o.valid_to is null or o.valid_to > p_as_of)
            ) as was_there
            from found as f
            inner join search.card as c on c.id = f.card_id
        )

        select
            coalesce(array_agg(t.card_id) filter (where t.was_there), '{}'),
            coalesce(array_agg(t.source) filter (where t.was_there), '{}'),
            not exists (
                select from told as x
                group by x.source, x.wanted, x.asked
                having count(*) >= x.asked and count(*) filter (where x.was_there) < x.wanted
            )
        into v_card_ids, v_sources, v_is_enough
        from told as t;
        exit when v_is_enough;
    end loop;

    return query
    with candidate as (
        select c.ref as item_id, i.version, f.lexical, f.dense, f.fuzzy, s.sources
        from search.features(
            p_kind, p_query, v_goal, array(select distinct u.id from unnest(v_card_ids) as u (id))
        ) as f
        inner join search.card as c on c.id = f.card_id
        inner join catalog.item as i on i.id = c.ref
        cross join lateral (
            select array_agg(u.source order by u.source collate core.c_utf8) as sources
            from unnest(v_card_ids, v_sources) as u (card_id, source)
            where u.card_id = f.card_id
        ) as s
        union all
        select o.item_id, o.version, p.lexical, p.dense, p.fuzzy, p.sources
        from search.score_cards(p_kind, p_query, v_goal, v_cards) as p
        inner join catalog.offer as o on o.id = p.ref
        where p.sources <> '{}'
    )

    select
        c.item_id,
        c.version,
        (
            (
                p_weights[1] * coalesce(c.lexical / nullif(max(c.lexical) over (), 0), 0)
                + p_weights[2] * coalesce(c.dense / nullif(max(c.dense) over (), 0), 0)
                + p_weights[3] * case when 'fuzzy' = any(c.sources) then c.fuzzy else 0 end
            ) / nullif(p_weights[1] + p_weights[2] + p_weights[3], 0)
        )::real,
        c.lexical,
        c.dense,
        c.fuzzy,
        c.sources
    from candidate as c
    order by 3 desc nulls last, 1;
end
$function$;
comment on function catalog.search_past is
'Searches items as they were at a given time. Arguments: p_kind: kind of card; p_query: the goal; p_vector: unit '
'vector of the goal (null: search without vectors); p_as_of: the given time; p_lexical, p_dense and p_fuzzy: number of '
'candidates to find by words, by meaning and by name (the three channels); p_ef_search: value for hnsw.ef_search; '
'p_weights: weights of the three channels in the score. Returns the items, best first. Returns for each item: its '
'version at that time, its score (0 to 1), its score in each channel, and the channels that found the item.';
grant execute on function catalog.search_past to qm_reader;
