-- search.nearest: the index scan continues until it has found enough visible cards (iterative scan of pgvector). If few
-- cards are visible, all of them are compared. The result is therefore never too short because of the caller's rights.
-- Only search.dense and search.near_cards may call this function, because callers have no permission to read
-- search.embedding.
create or replace function search.nearest(
    p_kind text, p_vector ext.vector, p_sure integer, p_limit integer, p_ef_search integer
)
returns table (card_id bigint, similarity real, vector ext.vector)
language plpgsql
volatile parallel unsafe security invoker
rows 50
set search_path = pg_catalog, pg_temp
set enable_sort = off -- the planner would compare all of a few thousand vectors; making 16-bit vectors of them is slow
as $function$
declare
    v_model constant search.model := search.goal_model();
    v_visible constant bit varying := policy.visible_classes();
    -- If the caller may see only some of the cards, the scan reads more cards than needed. Otherwise the scan would
    -- stop as soon as it has found enough cards, and might miss nearer cards.
    v_is_narrow constant boolean := bit_count(v_visible) < length(v_visible);
    v_met constant integer := case when v_is_narrow then greatest(5 * p_sure / 2, p_limit, 64) else p_limit end;
    v_cards bigint[];
    v_similarities real[];
    v_vectors ext.vector[];
begin
    perform policy.require_principal();
    if v_model.id is null or p_vector is null then
        return;
    end if;
    if ext.vector_dims(p_vector) <> v_model.dimension then
        perform core.fail(
            'dimension_mismatch',
            format(
                'the query vector has %s dimensions, but the model %s has %s',
                ext.vector_dims(p_vector),
                v_model.name,
                v_model.dimension
            )
        );
    end if;
    if p_limit < 1 then
        return;
    end if;
    perform set_config('hnsw.ef_search', greatest(p_ef_search, v_met)::text, true);
    perform set_config('hnsw.iterative_scan', 'relaxed_order', true);
    perform set_config('hnsw.max_scan_tuples', greatest(4000, 20 * v_met)::text, true);

    -- The placeholders have no numbers, because the tool plpgsql_check does not accept numbered placeholders.
    execute format(
        'select array_agg(n.card_id order by n.distance, n.card_id), '
        'array_agg((1 - n.distance)::real order by n.distance, n.card_id), '
        'array_agg(n.vector order by n.distance, n.card_id) from ('
        '    select m.card_id, m.vector, m.vector operator(ext.<=>) $1 as distance from ('
        '        select c.id as card_id, e.vector'
        '        from search.embedding as e'
        '        inner join search.card as c on c.text_hash = e.text_hash and c.kind = %L'
        '        where e.kind = %L and e.model_id = %s'
        ' and policy.is_visible(c.rights_class, (select policy.visible_classes()))'
        '        order by e.vector::ext.halfvec(%s) operator(ext.<=>) $1::ext.halfvec limit $2'
        '    ) as m'
        ') as n',
        p_kind,
        p_kind,
        v_model.id,
        v_model.dimension
    ) into v_cards, v_similarities, v_vectors using p_vector, v_met;

    if v_is_narrow and coalesce(cardinality(v_cards), 0) < v_met then
        -- At this point, so few cards are visible that comparing all of them is cheaper than continuing the scan. The
        -- comparison also cannot miss a card.
        return query
        with visible as materialized (
            select c.id, c.text_hash
            from search.card as c
            where c.kind = p_kind and policy.is_visible(c.rights_class, (select policy.visible_classes()))
        )

        select v.id, (1 - (e.vector operator(ext.<=>) p_vector))::real, e.vector
        from visible as v
        cross join lateral (
            select x.vector
            from search.embedding as x
            where x.model_id = v_model.id and x.text_hash = v.text_hash and x.kind = p_kind
            limit 1
        ) as e
        order by 2 desc, 1
        limit p_limit;
        return;
    end if;
    return query
    select n.card_id, n.similarity, n.vector
    from unnest(v_cards, v_similarities, v_vectors) as n (card_id, similarity, vector)
    limit p_limit;
end
$function$;
comment on function search.nearest(text, ext.vector, integer, integer, integer) is
'Finds cards whose vectors are similar to the vector of a goal (cosine), and returns the vectors, too. Arguments: '
'p_kind, p_vector and p_ef_search: as for search.dense; p_sure: number of nearest cards that the search should not '
'miss, even if many cards are hidden from the caller; p_limit: maximum number of cards, at least p_sure. Returns the '
'cards, nearest first. Raises QM422 dimension_mismatch.';
