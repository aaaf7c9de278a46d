-- lookup.read_query: the inverse document frequency is ln(1 + N / n): N is the number of names in the table, and n is
-- the number of names that contain the lexeme. A lexeme that no name contains gets the weight for n = 0.7, and counts
-- only in the sum of the weights. Names are found by the rarest lexemes only: the function takes lexemes until about
-- 2,500 names contain at least one of them. In measurements, these lexemes found the same names as all lexemes. The
-- score uses all lexemes.
create or replace function lookup.read_query(p_query text, p_meaning ext.vector, p_scope jsonb)
returns lookup.question
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_table_id constant integer := search.scope_member(p_scope, 'table', 'number')::integer;
    v_text constant text := left(p_query, 1000);
    -- A query that consists only of punctuation is not normalised, as names are (lookup.index_names).
    v_label constant text := coalesce(
        nullif(btrim(left(lookup.normalize(v_text), 400)), ''), lower(btrim(v_text) collate core.c_utf8)
    );
    v_words constant text[] := (string_to_array(v_label, ' '))[1:24];
    v_question lookup.question;
begin
    with lexeme as materialized (
        select
            t.name as origin,
            l.lexeme,
            x.id,
            ln(1 + t.names / coalesce(x.cards, 0.7)::double precision)::real as weight,
            row_number() over rarest <= 4 or sum(x.cards) over rarest <= 2500 as is_rare
        from lookup.lookup_table as t
        cross join unnest(search.name_lexemes(t.name, v_label)) as l (lexeme)
        left join search.term as x on x.kind = 'lookup' and x.lexeme = l.lexeme and x.cards > 0
        where t.id = v_table_id
        window rarest as (order by x.cards, x.id rows between unbounded preceding and current row)
    )

    select
        v_table_id,
        p_query,
        v_label,
        lookup.short_form(v_label),
        lookup.stem(v_label),
        v_words,
        w.weights,
        coalesce(w.most, 1),
        coalesce(w.is_known, false),
        coalesce(w.repeats, false),
        t.terms,
        p_scope ->> 'language',
        case when p_scope -> 'properties' <> 'null' then nullif(lookup.facts(p_scope -> 'properties'), '{}') end,
        p_meaning,
        case when p_meaning is not null then (search.goal_model()).id end
    into v_question
    from (
        select
            (
                (
                    '{' || coalesce(
                        string_agg(l.id || ':' || l.weight, ',' order by l.id) filter (where l.id is not null), ''
                    ) || '}/1000000000'
                )::ext.sparsevec,
                array_agg(l.id) filter (where l.is_rare),
                null,
                array_agg(l.weight) filter (where l.is_rare),
                null,
                coalesce(sum(l.weight), 1)
            )::search.goal_terms as terms
        from lexeme as l
    ) as t
    cross join (
        select
            array_agg(l.weight order by g.position) as weights,
            sum(l.weight) as most,
            bool_or(g.position = 1 and l.id is not null) as is_known,
            count(distinct g.word) < count(*) as repeats
        from unnest(v_words) with ordinality as g (word, position)
        inner join lexeme as l on l.lexeme = l.origin || '=' || left(g.word, 100)
    ) as w;
    return v_question;
end
$function$;
comment on function lookup.read_query(text, ext.vector, jsonb) is
'Splits a query to a lookup table into lexemes and words, and computes the weights of these lexemes and words. Other '
'functions take the result as an argument, so the weights are computed only once. Arguments: p_query: the query; '
'p_meaning: vector of the query (null: no vector); p_scope: scope of the search (see lookup.candidates). Returns the '
'query with its lexemes, words and weights. Raises QM422 argument_invalid.';
