-- search.search: the one engine. Candidates of the three channels are united, looked at, and scored.
-- Learned scoring is logistic: 1 / (1 + exp(-(intercept + weights . features))); without coefficients or a vector it is fusion.
-- A channel whose weight is 0 has no say in it either (search.silence).
-- Fusion is a weighted sum of scores, each relative to the best of the union (a convex combination keeps more than ranks do: Bruch, Gai,
-- Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, 2023).
-- Of cards that say the same (equal name, vectors nearer than the setting search.duplicate_similarity) the best stands for all.
-- Definer because documents and vectors are read here; the channels return visible cards only.
create or replace function search.search(
    p_kind text,
    p_query text,
    p_vector ext.vector,
    p_lexical integer,
    p_dense integer,
    p_fuzzy integer,
    p_ef_search integer,
    p_weights real[],
    p_scoring text default 'fusion'
)
returns setof search.found
language plpgsql
volatile parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_duplicate constant real := (core.get_setting('search.duplicate_similarity'))::real;
    v_model_id constant integer := (select m.id from search.model as m where m.active and p_vector is not null);
    v_goal constant ext.vector[] := search.split_vector(p_vector);
    v_intercept real;
    v_learned ext.vector;
begin
    perform policy.require_principal();
    if p_scoring = 'learned' and v_model_id is not null then
        select c.intercept, search.silence(c.weights, p_weights)::ext.vector into v_intercept, v_learned from search.coefficients(p_kind) as c;
    end if;

    return query
    with goal as materialized ( -- read in the snapshot in which its postings are
        select search.read_terms(p_kind, p_query) as terms
    ),

    candidate as materialized (
        select f.card_id, array_agg(f.source order by f.source) as sources
        from (
            select l.card_id, 'lexical' as source from goal as g cross join search.bm25(p_kind, p_query, p_lexical, g.terms) as l
            union all
            select d.card_id, 'dense' from search.dense(p_kind, v_goal[1], p_dense, p_ef_search) as d
            union all
            select z.card_id, 'fuzzy' from search.fuzzy(p_kind, p_query, p_fuzzy) as z
        ) as f
        group by f.card_id
    ),

    scored as materialized (
        select
            c.sources,
            f.*,
            case
                when v_learned is not null
                    then 1 / (1 + exp((f.features::ext.vector operator(ext.<#>) v_learned) - v_intercept))
                else
                    (
                        p_weights[1] * coalesce(f.lexical / nullif(max(f.lexical) over (), 0), 0)
                        + p_weights[2] * coalesce(f.dense / nullif(max(f.dense) over (), 0), 0)
                        + p_weights[3] * case when 'fuzzy' = any(c.sources) then f.fuzzy else 0 end
                    ) / nullif(p_weights[1] + p_weights[2] + p_weights[3], 0)
            end as score
        from goal as g
        cross join search.features(p_kind, p_query, v_goal[1], array(select x.card_id from candidate as x), v_goal[2:], g.terms) as f
        inner join candidate as c on c.card_id = f.card_id
    ),

    named as (
        select
            s.*,
            first_value(s.card_id) over same_name as best_id,
            first_value(s.text_hash) over same_name as best_hash
        from scored as s
        window same_name as (partition by s.label order by s.score desc nulls last, s.card_id)
    )

    select
        n.card_id,
        n.score::real,
        n.lexical,
        n.dense,
        n.fuzzy,
        n.sources,
        n.features
    from named as n
    where
        n.card_id = n.best_id
        or coalesce(
            (
                select 1 - (e.vector operator(ext.<=>) b.vector)
                from search.embedding as e
                inner join search.embedding as b on b.model_id = e.model_id and b.kind = e.kind and b.text_hash = n.best_hash
                where e.model_id = v_model_id and e.kind = p_kind and e.text_hash = n.text_hash
            ), 0
        ) < v_duplicate
    order by 2 desc, n.card_id;
end
$function$;
comment on function search.search(text, text, ext.vector, integer, integer, integer, integer, real[], text) is
'Cards of a kind for a goal, best first. Arguments: kind, goal, unit vector of the goal or null (those of its sentences may follow it, see search.split_vector), candidates by lexical, dense and fuzzy search, hnsw.ef_search, fusion weights of the three, scoring (fusion, learned). Returns the score (0 to 1), each channel''s own score, the channels that found the card, and its features.';
grant execute on function search.search to qm_user;
