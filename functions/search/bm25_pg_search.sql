-- search.bm25_pg_search: answers search.bm25 with the extension pg_search: it has the same arguments and returns rows
-- of the same form.
-- It uses EXECUTE because operators and functions of the schema pdb exist only with the extension. The syntax follows
-- the documentation of pg_search 0.20. It has never been run, because pg_search is in none of the package indexes that
-- setup and tests install from.
-- Its scores and order differ from the scores and order of search.bm25. It has its own tokenizer. Instead of using four
-- field weights, it boosts the name by 2. Parameters have the same weight as descriptions, because they share a column;
-- in that column the words in the name and origin count again. Statistics are computed over all kinds of card. Features
-- and fusion still take their lexical score from search.lexical.
-- Definer because only this function may read the index without row security; it applies the same visibility test.
create or replace function search.bm25_pg_search(p_kind text, p_query text, p_limit integer)
returns table (card_id bigint, score real)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if p_limit < 1 or not core.has_capability('pg_search') then
        return;
    end if;
    return query execute format(
        'select c.id, pdb.score(c.id)::real from search.card as c'
        ' where c.kind = %L and (c.name ||| %L::pdb.boost(2) or c.origin ||| %L or c.embedding_text ||| %L)'
        ' and policy.is_visible(c.rights_class, (select policy.visible_classes()))'
        ' order by pdb.score(c.id) desc, c.id limit %s', p_kind, p_query, p_query, p_query, p_limit
    );
end
$function$;
comment on function search.bm25_pg_search(text, text, integer) is
'Returns cards by BM25 of pg_search, best first, ties by id; returns no rows without the extension. Arguments: '
'p_kind: kind of card; p_query: the goal; p_limit: maximum number of results.';
