-- lookup.answer: what lookup.match finds, cut at the threshold of the table, with the one that is a match.
-- Where the table has vectors, a query without one is embedded here if this database can; else it is answered without.
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
stable parallel unsafe security invoker
rows 20
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning it is not free
as $function$
#variable_conflict use_column
declare
    v_table text;
    v_threshold real;
    v_gap real;
    v_has_vectors boolean;
    v_meaning ext.vector;
begin
    select t.name, coalesce(p_threshold, t.threshold), t.gap, t.has_vectors into v_table, v_threshold, v_gap, v_has_vectors
    from lookup.lookup_table as t
    where t.id = p_table_id;
    if v_has_vectors then
        v_meaning := lookup.meaning_of(p_query, p_vector);
    end if;
    return query
    with found as materialized (
        select m.*
        from lookup.match(
            p_table_id, p_query, greatest(p_limit, 2), greatest(p_candidates, 3 * p_limit / 2), p_language, p_active_only, p_domain,
            p_properties, p_strict, v_meaning, p_semantic
        ) with ordinality as m (row_id, card_id, score, probability, scores, features, rank)
    ),

    gap as (
        select max(f.probability) - coalesce(max(f.probability) filter (where f.rank > 1), 0) as first, max(f.probability) as best
        from found as f
    )

    select
        f.rank::integer,
        r.key,
        r.value,
        c.name,
        f.probability,
        f.rank = 1 and f.probability >= greatest(v_threshold, 0.5) and g.first >= v_gap,
        r.language,
        r.active,
        f.scores
        || jsonb_build_object(
            'gap', round((f.probability - case when f.rank = 1 then g.best - g.first else g.best end)::numeric, 4)
        )
        || case when v_has_vectors and v_meaning is null then '{"sem": null}'::jsonb else '{}' end
        || case
            when p_explain then jsonb_build_object(
                'features', (
                    select coalesce(jsonb_object_agg(e.key, e.value), '{}')
                    from jsonb_each(
                        search.explain_score('lookup', f.features, '{1, 1, 1}', lookup.profiles_of(v_table, v_meaning is not null))
                    ) as e
                    where (e.value ->> 'value')::numeric <> 0
                ),
                'vectors', case when not v_has_vectors then 'off' when v_meaning is null then 'query not embedded' else 'compared' end
            )
            else '{}'
        end
    from found as f
    cross join gap as g
    inner join lookup.lookup_row as r on r.id = f.row_id
    inner join search.card as c on c.id = f.card_id
    where g.best >= v_threshold and f.rank <= p_limit
    order by f.rank;
end
$function$;
comment on function lookup.answer(integer, text, integer, integer, text, boolean, text, jsonb, boolean, real, boolean, ext.vector, integer) is
'Arguments: those of lookup.match; threshold, null for that of the table; whether to explain; vector of the query, or null, and candidates by it. Returns rows as api.search_lookup does.';
grant execute on function lookup.answer to qm_user;
