-- lookup.find_names: cards of names that may be meant: by trigrams and words, by the keys of short forms, by the properties asked for,
-- by id, and by meaning where the query has a vector.
create or replace function lookup.find_names(
    p_table_id integer,
    p_query text,
    p_label text,
    p_term_ids integer[],
    p_weights real[],
    p_vector ext.sparsevec,
    p_most real,
    p_limit integer,
    p_facts text[],
    p_meaning ext.vector default null,
    p_semantic integer default 30
)
returns table (card_id bigint)
language plpgsql
stable parallel unsafe security invoker
rows 60
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
declare
    v_stem constant text := lookup.stem(p_label);
    v_short constant text := lookup.short_form(p_label);
    v_second constant text := split_part(v_stem, ' ', 2);
    v_first constant text := split_part(p_label, ' ', 1);
    v_letters constant text := replace(p_label, ' ', '');
begin
    return query
    with name as (
        (select n.id from lookup.lookup_name as n where n.table_id = p_table_id and n.short = v_short limit 20)
        union
        (select n.id from lookup.lookup_name as n where n.table_id = p_table_id and n.stem = v_stem limit 20)
        union
        (
            select n.id
            from lookup.lookup_name as n
            where n.table_id = p_table_id and n.second = v_second and length(v_second) > 2
            limit 20
        )
        union
        (
            select n.id
            from lookup.lookup_name as n
            where n.table_id = p_table_id and n.initials in (v_letters, v_first) and length(n.initials) between 2 and 8
            limit 20
        )
        union
        (
            select n.id
            from lookup.lookup_row as r
            inner join lookup.lookup_name as n on n.row_id = r.id
            where r.table_id = p_table_id and r.key = btrim(p_query)
        )
    )

    select c.id
    from name as n
    inner join search.card as c on c.kind = 'lookup' and c.ref = n.id
    union
    select f.card_id
    from search.find_names(p_term_ids, p_weights, p_vector, p_most, 2 * p_limit / 3) as f
    where p_term_ids is not null;

    if p_facts is not null then
        return query
        select c.id
        from lookup.lookup_row as r
        inner join lookup.lookup_name as n on n.row_id = r.id
        inner join search.card as c on c.kind = 'lookup' and c.ref = n.id
        where r.table_id = p_table_id and r.facts && p_facts
        order by ext.word_similarity(p_label, c.label) desc, c.id
        limit p_limit;
    end if;

    if p_meaning is not null then
        return query select s.card_id from lookup.find_similar(p_table_id, p_meaning, p_semantic) as s;
    end if;
end
$function$;
comment on function lookup.find_names(integer, text, text, integer[], real[], ext.sparsevec, real, integer, text[], ext.vector, integer) is
'Arguments: table; query as given and normalised; its rarest lexemes and what they weigh; what all weigh, one by one and together; how many, of which two thirds by trigrams; facts asked for, or null; vector of the query, or null, and how many names by it. Returns cards, some of them twice.';
