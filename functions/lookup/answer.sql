-- lookup.answer: finds the rows to which a query may refer, best first, each with the probability that it is the right
-- one. It computes the confidence of the results of search.search, removes the results below the threshold of the
-- table, and marks the match, if there is one.
-- The score of a row is the score of its best name. Its odds come from a softmax over all rows and the answer "none of
-- them", whose score is 0. The odds are therefore low if the query has no answer, or if the second row is almost as
-- good as the first. Rows with the same name do not compete.
-- The probability is logistic in odds and features, so that evidence for "none of them" counts by itself (after Platt,
-- Probabilistic Outputs for Support Vector Machines, 1999). The probability never rises from one row to the next. If
-- the table has vectors and the query has none, this database computes a vector for the query if it can; otherwise the
-- query is answered without a vector.
-- The function runs with the rights of its owner (security definer), because it reads rows and names without applying a
-- policy to each of them; search.search leaves out tables and names that the caller may not see.
create or replace function lookup.answer(
    p_table_id integer,
    p_query text,
    p_limit integer,
    p_candidates integer,
    p_language text,
    p_active_only boolean,
    p_domain text,
    p_properties jsonb,
    p_strict boolean,
    p_threshold real,
    p_explain boolean,
    p_vector ext.vector default null,
    p_semantic integer default 30
)
returns table (
    rank integer, id text, value text, name text, score real, match boolean, language text, active boolean, scores jsonb
)
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_key constant text := btrim(p_query);
    v_table lookup.lookup_table;
    v_meaning ext.vector;
    v_learned record;
    v_weights ext.vector;
    v_property integer;
    v_trigram integer;
    v_cosine integer;
    v_alias integer;
    v_semantic integer;
begin
    perform policy.require_principal();
    select t.* into v_table
    from lookup.lookup_table as t
    inner join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
    where t.id = p_table_id and policy.is_visible(c.rights_class, (select policy.visible_classes()));
    if v_table.has_vectors then
        v_meaning := lookup.meaning_of(p_query, p_vector);
    end if;
    select w.* into v_learned
    from search.coefficients('lookup', lookup.profiles_of(v_table.name, v_meaning is not null)) as w
    where v_table.id is not null;
    if not found then
        return;
    end if;
    v_weights := v_learned.confidence_weights;
    v_property := array_position(v_learned.features, 'property_true');
    v_trigram := array_position(v_learned.features, 'trigram');
    v_cosine := array_position(v_learned.features, 'cosine');
    v_alias := array_position(v_learned.features, 'alias');
    v_semantic := array_position(v_learned.features, 'sem');

    return query
    with best as (
        select distinct on (r.id)
            r.id as row_id, r.key, r.value, c.name, r.language, r.active, r.key = v_key as is_id, c.label, f.odds as score, f.features
        from search.search(
            'lookup', p_query, v_meaning, 0, p_semantic, greatest(p_candidates, 3 * p_limit / 2), 0, '{1, 1, 1}', 'learned',
            jsonb_build_object(
                'table', p_table_id, 'language', p_language, 'active_only', p_active_only, 'domain', p_domain, 'properties', p_properties
            ), v_learned.score
        ) as f
        inner join search.card as c on c.id = f.card_id
        inner join lookup.lookup_name as n on n.id = c.ref
        inner join lookup.lookup_row as r on r.id = n.row_id
        where not p_strict or f.features[v_property] = 1
        order by r.id, f.odds desc, f.card_id
    ),

    rated as (
        select
            b.*,
            greatest(
                -10, least(12, b.score - ln(1 + greatest(sum(exp(b.score)) over () - sum(exp(b.score)) over same_name, 0)))
            ) as odds
        from best as b
        window same_name as (partition by b.label)
    ),

    sure as (
        select
            x.*,
            case
                when x.is_id then 1 -- the id of a row says which one is meant
                else
                    1 / (1 + exp(
                        (x.features::ext.vector operator(ext.<#>) v_weights)
                        - v_learned.confidence_intercept - v_learned.confidence_place[1] * x.odds
                        - v_learned.confidence_place[2] * x.odds ^ 2 - v_learned.confidence_place[3] * greatest(x.odds - 3, 0)
                    ))
            end as sureness
        from rated as x
    ),

    ranked as (
        select s.*, row_number() over best_first as rank, (min(s.sureness) over best_first)::real as probability
        from sure as s
        window best_first as (order by s.is_id desc, s.score desc, s.row_id rows between unbounded preceding and current row)
    ),

    compared as (
        select
            r.*,
            max(r.probability) over () as first,
            coalesce(max(r.probability) filter (where r.rank = 2) over (), 0) as second
        from ranked as r
    )

    select
        c.rank::integer,
        c.key,
        c.value,
        c.name,
        c.probability,
        c.rank = 1 and c.probability >= greatest(coalesce(p_threshold, v_table.threshold), 0.5) and c.first - c.second >= v_table.gap,
        c.language,
        c.active,
        jsonb_build_object(
            'trgm', round(c.features[v_trigram]::numeric, 4),
            'cosine', round(c.features[v_cosine]::numeric, 4),
            'alias', c.features[v_alias] = 1,
            'property', round(c.features[v_property]::numeric, 4),
            'gap', round((c.probability - case when c.rank = 1 then c.second else c.first end)::numeric, 4)
        )
        || case
            when v_table.has_vectors
                then jsonb_build_object('sem', case when v_meaning is not null then round(c.features[v_semantic]::numeric, 4) end)
            else '{}'
        end
        || case
            when p_explain then jsonb_build_object(
                'features', (
                    select coalesce(jsonb_object_agg(e.key, e.value), '{}')
                    from jsonb_each(
                        search.explain_score('lookup', c.features, '{1, 1, 1}', lookup.profiles_of(v_table.name, v_meaning is not null))
                    ) as e
                    where (e.value ->> 'value')::numeric <> 0
                ),
                'vectors', case when not v_table.has_vectors then 'off' when v_meaning is null then 'query not embedded' else 'compared' end
            )
            else '{}'
        end
    from compared as c
    where c.first >= coalesce(p_threshold, v_table.threshold) and c.rank <= p_limit
    order by c.rank;
end
$function$;
comment on function lookup.answer(integer, text, integer, integer, text, boolean, text, jsonb, boolean, real, boolean, ext.vector, integer) is
'Finds the rows to which a query may refer, best first, each with the probability that it is the right one. Arguments: '
'p_table_id: id of the lookup table; p_query: the query; p_limit: maximum number of rows; p_candidates: number of '
'candidates to find by trigrams; p_language: preferred language; p_active_only: whether to return only active rows; '
'p_domain: domain, null for any; p_properties: requested properties; p_strict: whether to exclude rows without these '
'properties; p_threshold: threshold, null for the table''s own threshold; p_explain: whether to explain the scores; '
'p_vector: vector of the query, or null; p_semantic: number of candidates to find by this vector. Returns the same '
'rows as api.search_lookup, and no rows if the caller may not see the table.';
grant execute on function lookup.answer to qm_reader;
