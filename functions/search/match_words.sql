-- search.match_words: rights are not part of the query, because pg_search would then check them for every match, not
-- only for the best matches. EXECUTE is needed because the operators and functions of the schema pdb exist only with
-- the extension. The query does not order ties by id, because pg_search could then not use its fast plan for the best n
-- rows. Parallel workers would cost 14 ms to start, and with pg_search 0.20.7 they crash the server.
create or replace function search.match_words(p_kind text, p_words text, p_limit integer)
returns bigint[]
language plpgsql
stable parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set max_parallel_workers_per_gather = 0
as $function$
declare
    v_ids bigint[];
begin
    execute format(
        'select array_agg(f.id order by f.score desc, f.id) from ('
        '    select w.id, pdb.score(w.id) as score from search.words as w'
        '    where w.kind = %L and w.words ||| %L order by pdb.score(w.id) desc limit %s'
        ') as f',
        p_kind,
        p_words,
        p_limit
    ) into v_ids;
    return coalesce(v_ids, '{}');
end
$function$;
comment on function search.match_words(text, text, integer) is
'Finds the cards that match the words of a goal best, with the extension pg_search. The rights of the caller are not '
'applied. Arguments: p_kind: kind of card; p_words: tokens of the goal, separated by spaces; p_limit: maximum number '
'of cards. Returns the ids of the cards, best first.';
