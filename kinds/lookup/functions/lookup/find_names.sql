create or replace function lookup.find_names(p_question lookup.question, p_limit integer, p_semantic integer)
returns table (card_id bigint)
language plpgsql
stable parallel unsafe security invoker
rows 60
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $function$
declare
    v_table_id constant integer := p_question.table_id;
    v_stem constant text := p_question.stem;
    v_short constant text := p_question.short;
    v_second constant text := split_part(v_stem, ' ', 2);
    v_first constant text := split_part(p_question.label, ' ', 1);
    v_letters constant text := replace(p_question.label, ' ', '');
    v_terms constant search.goal_terms := p_question.terms;
begin
    return query
    with name as (
        (select n.id from lookup.lookup_name as n where n.table_id = v_table_id and n.short = v_short limit 20)
        union
        (select n.id from lookup.lookup_name as n where n.table_id = v_table_id and n.stem = v_stem limit 20)
        union
        (
            select n.id
            from lookup.lookup_name as n
            where n.table_id = v_table_id and n.second = v_second and length(v_second) > 2
            limit 20
        )
        union
        (
            select n.id
            from lookup.lookup_name as n
            where n.table_id = v_table_id and n.initials in (v_letters, v_first) and length(n.initials) between 2 and 8
            limit 20
        )
        union
        (
            select n.id
            from lookup.lookup_row as r
            inner join lookup.lookup_name as n on n.row_id = r.id
            where r.table_id = v_table_id and r.key = btrim(p_question.text)
        )
    )

    select c.id
    from name as n
    inner join search.card as c on c.kind = 'lookup' and c.ref = n.id
    union
    select f.card_id
    from search.find_names(v_terms.term_ids, v_terms.weights, v_terms.query, v_terms.most, 2 * p_limit / 3) as f
    where v_terms.term_ids is not null;

    if p_question.facts is not null then
        return query
        select c.id
        from lookup.lookup_row as r
        inner join lookup.lookup_name as n on n.row_id = r.id
        inner join search.card as c on c.kind = 'lookup' and c.ref = n.id
        where r.table_id = v_table_id and r.facts && p_question.facts
        order by ext.word_similarity(p_question.label, c.label) desc, c.id
        limit p_limit;
    end if;

    if p_question.meaning is not null then
        return query select s.card_id from lookup.find_similar(v_table_id, p_question.meaning, p_semantic) as s;
    end if;
end
$function$;
comment on function lookup.find_names(lookup.question, integer, integer) is
'Finds the cards of names to which a query may refer. The function compares trigrams, words, short forms, requested '
'properties, ids and, if the query has a vector, vectors. Arguments: p_question: the query; p_limit: number of cards '
'(the search by trigrams finds at most two thirds of this number); p_semantic: maximum number of cards to find by '
'vectors. Returns the cards. A card may be returned more than once.';
