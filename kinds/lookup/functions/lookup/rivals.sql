-- lookup.rivals: rows of the same answer (lookup.answer_key) follow each other in the result, with one exception: if
-- the query is the id of a row, this row comes first.
create or replace function lookup.rivals(
    p_query text,
    p_meaning ext.vector,
    p_filter jsonb,
    p_candidates integer,
    p_semantic integer,
    p_strict boolean,
    p_weights real[],
    p_places lookup.places
)
returns table (rivals lookup.rival[], weight double precision, has_retired boolean)
language plpgsql
stable parallel unsafe security invoker
rows 1
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_key constant text := btrim(p_query);
    v_is_number constant boolean := v_key ~ '^[0-9]+$';
begin
    return query
    with best as (
        select distinct on (r.id)
            r.id as row_id,
            r.key,
            r.value,
            c.name,
            r.language,
            r.active,
            r.key = v_key as is_key,
            c.label,
            lookup.answer_key(c.label, f.features, p_places) as answer,
            -- The id of a row may be meant, and so may a number that belongs to no row.
            case when r.key = v_key and v_is_number then greatest(f.odds, -1) else f.odds end as score,
            f.features
        from search.search(
            'lookup', p_query, p_meaning, 0, p_semantic, p_candidates, 0, '{1, 1, 1}', 'learned', p_filter, p_weights
        ) as f
        inner join search.card as c on c.id = f.card_id
        inner join lookup.lookup_name as n on n.id = c.ref
        inner join lookup.lookup_row as r on r.id = n.row_id
        where not p_strict or f.features[p_places.property_true] = 1
        order by r.id, f.odds desc, f.card_id
    ),

    grouped as (
        select
            b.*,
            max(b.score) over (partition by b.answer) as answer_score,
            count(*) filter (where b.is_new_label) over (partition by b.answer) as names
        from (
            select
                x.*,
                lag(x.label) over (partition by x.answer order by x.label) is distinct from x.label as is_new_label
            from best as x
        ) as b
    ),

    place as (
        select
            row_number() over best_first as position,
            g.answer <> first_value(g.answer) over best_first
            and g.answer <> coalesce(lag(g.answer) over best_first, '') as begins_other,
            g.answer_score,
            g.active,
            (
                g.row_id, g.key, g.value, g.name, g.language, g.active, g.is_key, g.label, g.answer, g.answer_score,
                g.names, g.features
            )::lookup.rival as rival
        from grouped as g
        window best_first as (
            order by (g.is_key and not v_is_number) desc, g.answer_score desc, g.answer, g.score desc, g.row_id
        )
    )

    select
        array_agg(p.rival order by p.position),
        coalesce(sum(exp(least(p.answer_score, 60))) filter (where p.begins_other), 0) + 1,
        bool_or(not p.active)
    from place as p;
end
$function$;
comment on function lookup.rivals(text, ext.vector, jsonb, integer, integer, boolean, real[], lookup.places) is
'Finds the rows of a lookup table to which a query may refer. Arguments: p_query: the query; p_meaning: the vector of '
'the query (null: no vector); p_filter: the scope for search.search, as in lookup.candidates; p_candidates: number of '
'candidates to find by trigrams; p_semantic: number of candidates to find by the vector; p_strict: true to exclude '
'rows without the requested properties; p_weights: the weights of the learned score; p_places: the places of the '
'features (lookup.places_of). Returns the rows, best first (null: none); the sum of exp(score) over all answers except '
'the first, plus 1 for the answer "none of them"; and true if one of the rows is retired.';
