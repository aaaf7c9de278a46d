-- search.search: the one engine. Candidates of the three channels are united, scored in all of them, and fused.
-- Fusion is a weighted sum of scores, each relative to the best of the union (a convex combination keeps more than ranks do: Bruch, Gai,
-- Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, 2023).
-- Definer because documents and vectors are read here; the channels return visible cards only.
create or replace function search.search(
    p_kind text,
    p_query text,
    p_vector ext.vector,
    p_lexical integer,
    p_dense integer,
    p_fuzzy integer,
    p_ef_search integer,
    p_weights real[]
)
returns table (card_id bigint, score real, lexical real, dense real, fuzzy real, sources text[])
language plpgsql
volatile parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_query constant ext.sparsevec := search.query_vector(p_kind, p_query);
    v_label constant text := search.fold_label(left(p_query, 1000));
    v_model_id integer;
begin
    perform policy.require_principal();
    select m.id into v_model_id from search.model as m where m.active and p_vector is not null;

    return query
    with candidate as (
        select f.card_id, array_agg(f.source order by f.source) as sources
        from (
            select l.card_id, 'lexical' as source from search.bm25(p_kind, p_query, p_lexical) as l
            union all
            select d.card_id, 'dense' from search.dense(p_kind, p_vector, p_dense, p_ef_search) as d
            union all
            select z.card_id, 'fuzzy' from search.fuzzy(p_kind, p_query, p_fuzzy) as z
        ) as f
        group by f.card_id
    ),

    scored as (
        select
            c.card_id,
            c.sources,
            (-(l.weights operator(ext.<#>) v_query))::real as lexical,
            greatest(coalesce(1 - (e.vector operator(ext.<=>) p_vector), 0), 0)::real as dense,
            case when 'fuzzy' = any(c.sources) then ext.similarity(k.label, v_label) else 0 end as fuzzy
        from candidate as c
        inner join search.card as k on k.id = c.card_id
        inner join search.lexical as l on l.card_id = c.card_id
        -- One look-up a card, whatever stale statistics say in the middle of an import.
        left join lateral (
            select v.vector
            from search.embedding as v
            where v.model_id = v_model_id and v.text_hash = k.text_hash and v.kind = p_kind
            limit 1
        ) as e on true
    )

    select
        s.card_id,
        (
            (
                p_weights[1] * coalesce(s.lexical / nullif(max(s.lexical) over (), 0), 0)
                + p_weights[2] * coalesce(s.dense / nullif(max(s.dense) over (), 0), 0)
                + p_weights[3] * s.fuzzy
            ) / nullif(p_weights[1] + p_weights[2] + p_weights[3], 0)
        )::real,
        s.lexical,
        s.dense,
        s.fuzzy,
        s.sources
    from scored as s
    order by 2 desc, s.card_id;
end
$function$;
comment on function search.search(text, text, ext.vector, integer, integer, integer, integer, real[]) is
'Cards of a kind for a goal, best first. Arguments: kind, goal, unit vector of the goal or null, candidates by lexical, dense and fuzzy search, hnsw.ef_search, fusion weights of the three. Returns the fused score (0 to 1), each channel''s own score, and the channels that found the card.';
