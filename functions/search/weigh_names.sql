-- search.weigh_names: the length of each name of a corpus, which is the sum of what its lexemes weigh.
-- Idf is ln(1 + N / n).  The caller holds the kind's lock.  Writes: search.lexical.
create or replace function search.weigh_names(p_kind text, p_origin text, p_names integer, p_refs bigint[] default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set work_mem = '64MB'
as $function$
begin
    -- In the middle of a load the planner knows nothing of the new names, and would join everything with everything.
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
'Arguments: kind, origin, how many names there are, rows whose names are new (null: all are computed anew). Call after search.put_names and search.remove_names.';
