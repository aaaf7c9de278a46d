-- search.weigh_names: computes the length of each name of a corpus, which is the sum of the weights of its lexemes.
-- Idf is ln(1 + N / n). The caller must hold the kind's lock.
-- Writes: search.lexical.
create or replace function search.weigh_names(p_kind text, p_origin text, p_names integer, p_refs bigint[] default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set work_mem = '64MB'
as $function$
begin
    -- During a load the planner has no statistics of the new names and would choose bad joins.
    if p_refs is null or cardinality(p_refs) > 1000 then
        analyze search.card, search.lexical, search.term;
    end if;
    update search.lexical as l
    set length = g.length
    from (
        select d.card_id, sum(ln(1 + p_names / greatest(t.cards, 1)::double precision))::real as length
        from (
            select x.card_id, unnest(tsvector_to_array(x.document)) as lexeme
            from search.card as c
            inner join search.lexical as x on x.card_id = c.id
            where c.kind = p_kind and c.origin = p_origin and (p_refs is null or c.ref = any(p_refs))
            offset 0
        ) as d
        inner join search.term as t on t.kind = p_kind and t.lexeme = d.lexeme
        group by d.card_id
    ) as g
    where l.card_id = g.card_id;
end
$function$;
comment on function search.weigh_names(text, text, integer, bigint[]) is
'Arguments: kind; origin; number of its names; rows with new names (null: compute all of them). Call it after '
'search.put_names and search.remove_names.';
