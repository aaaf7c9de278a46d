-- search.put_names: creates many cards at once that are found by their name alone, by trigrams and words instead of a
-- text.
-- Their postings have no weights: the inverse document frequency belongs to the query, and search.weigh_names computes
-- the length.
-- Names without vectors have an empty embedding_text, so that they do not wait for one. The refs must not have cards
-- yet.
create or replace function search.put_names(
    p_kind text, p_origin text, p_prefix text, p_refs bigint[], p_names text[], p_labels text[], p_embeds boolean default false
)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- nobody can tell the planner how many names there are
set work_mem = '64MB'
as $function$
declare
    v_card_ids bigint[];
begin
    perform search.lock_kind(p_kind);
    with written as (
        insert into search.card (kind, ref, name, origin, label, embedding_text, text_hash, name_lexemes)
        select p_kind, g.ref, g.name, p_origin, g.label, e.text, sha256(convert_to(e.text, 'UTF8')), string_to_array(g.label, ' ')
        from unnest(p_refs, p_names, p_labels) as g (ref, name, label)
        cross join lateral (select case when p_embeds then g.name else '' end as text) as e
        order by g.ref
        returning id
    )

    select coalesce(array_agg(w.id), '{}') into v_card_ids from written as w;

    insert into search.lexical (card_id, kind, ref, document, length)
    select c.id, p_kind, c.ref, array_to_tsvector(search.name_lexemes(p_prefix, c.label)), 1
    from unnest(v_card_ids) as w (id)
    inner join search.card as c on c.id = w.id;
    perform search.count_terms(p_kind, v_card_ids, 1);

    with listed as materialized (
        select l.card_id, t.id as term_id
        from unnest(v_card_ids) as w (id)
        inner join search.lexical as l on l.card_id = w.id
        cross join unnest(tsvector_to_array(l.document)) as u (lexeme)
        inner join search.term as t on t.kind = p_kind and t.lexeme = u.lexeme
    ),

    weighed as (
        update search.lexical as l
        set weights = g.weights
        from (
            select x.card_id, ('{' || string_agg(x.term_id || ':1', ',' order by x.term_id) || '}/1000000000')::ext.sparsevec as weights
            from listed as x
            group by x.card_id
        ) as g
        where l.card_id = g.card_id
    )

    insert into search.name_posting as p (term_id, block, places)
    select x.term_id, x.card_id / 32768, array_agg((x.card_id % 32768)::smallint order by x.card_id)
    from listed as x
    group by 1, 2
    on conflict (term_id, block) do update set places = p.places || excluded.places;
    if p_embeds then
        perform pg_notify('qm_cards', p_kind);
    end if;
    return cardinality(v_card_ids);
end
$function$;
comment on function search.put_names(text, text, text, bigint[], text[], text[], boolean) is
'Arguments: kind; origin; prefix of the corpus; rows of the kind''s own table; their names; their normalised names; '
'whether to give them vectors. Returns how many. Call search.weigh_names when all are stored.';
