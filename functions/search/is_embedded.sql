-- search.is_embedded: the function reads the record that search.claim_unembedded wrote. Without a service, nobody calls
-- that function, so the answer is null after the texts of a kind have changed. The function returns false only if the
-- caller may see one of the waiting cards. Otherwise, a caller could learn that hidden cards exist.
create or replace function search.is_embedded(p_kind text)
returns boolean
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return (
        select case
            when e.waiting = '{}' then true
            when exists (
                select from policy.rights_class as c
                where c.id = any(e.waiting) and policy.is_visible(c.id, (select policy.visible_classes()))
            ) then false
        end
        from search.embedded_kind as e
        where e.kind = p_kind and e.changes = search.count_changes(p_kind)
    );
end
$function$;
comment on function search.is_embedded(text) is
'Checks whether all cards of a kind have vectors from the active model, without looking at the cards. Argument p_kind: '
'kind of card. Returns the result of the last check: true if every card had a vector, false if a card that the caller '
'may see had none. Returns null (unknown) if only cards that the caller may not see had no vector, or if texts or '
'models have changed since the last check.';
grant execute on function search.is_embedded to qm_reader;
