-- search.remove_names: takes cards of search.put_names out of the index.
-- Raises: QM404 kind_not_found.  Writes: search.card, search.lexical, search.term, search.posting.
create or replace function search.remove_names(p_kind text, p_refs bigint[])
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_card_ids bigint[];
begin
    perform search.lock_kind(p_kind);
    select array_agg(c.id) into v_card_ids from search.card as c where c.kind = p_kind and c.ref = any(p_refs);
    if v_card_ids is null then
        return 0;
    end if;
    perform search.count_terms(p_kind, v_card_ids, -1);
    delete from search.lexical as l where l.card_id = any(v_card_ids);
    delete from search.card as c where c.id = any(v_card_ids);
    return cardinality(v_card_ids);
end
$function$;
comment on function search.remove_names(text, bigint[]) is 'Arguments: kind, rows of the kind''s own table. Returns how many cards there were.';
