-- search.remove_cards: the function does not delete the rows in the kind's own table.
-- Writes: search.card, search.lexical, search.term, search.kind, search.words.
create or replace function search.remove_cards(p_kind text, p_refs bigint[])
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_card_ids bigint[];
begin
    perform search.lock_kind(p_kind);
    select array_agg(c.id)
    into v_card_ids
    from search.card as c
    where c.kind = p_kind and c.ref = any(p_refs);
    if v_card_ids is null then
        return 0;
    end if;
    perform search.count_terms(p_kind, v_card_ids, -1);
    delete from search.lexical as l where l.card_id = any(v_card_ids);
    delete from search.words as w where w.id = any(v_card_ids);
    delete from search.card as c where c.id = any(v_card_ids);
    perform search.weigh(p_kind, '{}');
    return cardinality(v_card_ids);
end
$function$;
comment on function search.remove_cards(text, bigint[]) is
'Removes cards of a kind. Arguments: p_kind: kind of card; p_refs: ids of the cards in the table of the kind. Returns '
'the number of removed cards. The vectors of the cards are kept, because a card with the same text may be added again. '
'Raises QM404 kind_not_found.';
