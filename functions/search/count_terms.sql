-- search.count_terms: the caller must hold the kind's lock (search.lock_kind).
-- Writes: search.term, search.kind, search.corpus, search.posting.
create or replace function search.count_terms(p_kind text, p_card_ids bigint[], p_sign integer)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    -- When documents are removed, search.term is only updated, because it already contains all tokens of these
    -- documents.
    if p_sign < 0 then
        perform search.remove_postings(p_kind, p_card_ids);
        update search.term as t
        set cards = t.cards - g.cards
        from (
            select u.lexeme, count(*)::integer as cards
            from search.lexical as l
            cross join unnest(l.document) as u
            where l.card_id = any(p_card_ids)
            group by u.lexeme
        ) as g
        where t.kind = p_kind and t.lexeme = g.lexeme;
    else
        insert into search.term as t (kind, lexeme, cards)
        select p_kind, u.lexeme, count(*)::integer
        from search.lexical as l
        cross join unnest(l.document) as u
        where l.card_id = any(p_card_ids)
        group by u.lexeme
        on conflict (kind, lexeme) do update set cards = t.cards + excluded.cards;
    end if;

    update search.kind as k
    set
        cards = k.cards + p_sign * s.cards,
        total_length = k.total_length + p_sign * s.total_length
    from (
        select count(*) as cards, coalesce(sum(l.length::double precision), 0) as total_length
        from search.lexical as l
        where l.card_id = any(p_card_ids)
    ) as s
    where k.name = p_kind;
    insert into search.corpus as o (kind, origin, cards)
    select p_kind, c.origin, p_sign * count(*)
    from search.lexical as l
    inner join search.card as c on c.id = l.card_id
    inner join search.kind as k on k.name = p_kind and k.index_type = 'names'
    where l.card_id = any(p_card_ids)
    group by c.origin
    on conflict (kind, origin) do update set cards = o.cards + excluded.cards;
end
$function$;
comment on function search.count_terms(text, bigint[], integer) is
'Adds cards to the word statistics of a kind, or removes cards from these statistics. When cards are removed, their '
'postings (entries in the lists of cards by token) are also deleted. The function search.weigh writes the postings of '
'added cards. Arguments: p_kind: kind of card; p_card_ids: ids of the cards; p_sign: +1 to add the cards, -1 to remove '
'the cards.';
