-- search.weigh_names: the length of each name of a corpus, which is the sum of what its lexemes weigh, and its norm as a posting.
-- The norm stands under the lexeme that is the prefix alone: sum of postings times norm is a cosine, for 2048 names at once.
-- Idf is ln(1 + N / n).  The caller holds the kind's lock.  Writes: search.lexical, search.term, search.posting.
create or replace function search.weigh_names(p_kind text, p_origin text, p_prefix text, p_refs bigint[] default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set work_mem = '64MB'
as $function$
declare
    v_names constant bigint := (select count(*) from search.card as c where c.kind = p_kind and c.origin = p_origin);
    v_norm_id integer;
begin
    -- In the middle of a load the planner knows nothing of the new names, and would join everything with everything.
    if p_refs is null or cardinality(p_refs) > 1000 then
        analyze search.card, search.lexical, search.term;
    end if;
    insert into search.term as t (kind, lexeme, cards)
    values (p_kind, p_prefix || ':', 0)
    on conflict (kind, lexeme) do update set cards = 0
    returning t.id into v_norm_id;

    update search.lexical as l
    set length = g.length
    from (
        select d.card_id, sum(ln(1 + v_names / greatest(t.cards, 1)::double precision))::real as length
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

    delete from search.posting as p where p.term_id = v_norm_id;
    insert into search.posting (term_id, block, weights)
    select
        v_norm_id,
        l.card_id / 2048,
        ('{' || string_agg(l.card_id % 2048 + 1 || ':' || (1 / sqrt(greatest(l.length, 1)))::real, ',' order by l.card_id) || '}/2048')::ext.sparsevec
    from search.card as c
    inner join search.lexical as l on l.card_id = c.id
    where c.kind = p_kind and c.origin = p_origin
    group by 2;
end
$function$;
comment on function search.weigh_names(text, text, text, bigint[]) is
'Arguments: kind, origin, prefix of the corpus, rows whose names are new (null: all are computed anew). Call after search.put_names and search.remove_names.';
