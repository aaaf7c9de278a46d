-- search.read_names: reads a name once for the index of names: its lexemes and their weights.
-- Idf is ln(1 + N / n) of the corpus. An unknown lexeme weighs as if 0.7 names had it, and counts only in the total.
-- The rarest lexemes, which about 2,500 names contain, find the same names as all of them (measured). The score uses
-- all.
create or replace function search.read_names(p_kind text, p_prefix text, p_names integer, p_label text)
returns search.goal_terms
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning it is not free
as $function$
declare
    v_terms search.goal_terms;
begin
    select
        ('{' || coalesce(string_agg(t.id || ':' || t.weight, ',' order by t.id) filter (where t.id is not null), '') || '}/1000000000')::ext.sparsevec,
        array_agg(t.id) filter (where t.rarer < 4 or t.names <= 2500),
        null::text[],
        array_agg(t.weight) filter (where t.rarer < 4 or t.names <= 2500),
        null::real[],
        coalesce(sum(t.weight), 1)
    into v_terms
    from (
        select
            x.id,
            ln(1 + p_names / coalesce(x.cards, 0.7)::double precision)::real as weight,
            row_number() over rarest - 1 as rarer,
            sum(x.cards) over rarest as names
        from unnest(search.name_lexemes(p_prefix, p_label)) as l (lexeme)
        left join search.term as x on x.kind = p_kind and x.lexeme = l.lexeme and x.cards > 0
        window rarest as (order by x.cards, x.id rows between unbounded preceding and current row)
    ) as t;
    return v_terms;
end
$function$;
comment on function search.read_names(text, text, integer, text) is
'Arguments: kind; prefix of the corpus; number of its names; normalised name. Returns all its lexemes as a vector, '
'the rarest with their weights (null if the corpus knows none), and the total weight.';
