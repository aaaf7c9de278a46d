-- search.is_embedded: tells what is known about the vectors of a kind. search.claim_unembedded finds this out. Without
-- a service, nobody claims texts, so nothing is known of a kind after its texts have changed. That some cards wait is
-- told only to those who may see one of them: others would learn of cards that are hidden from them.
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
'may see had none. Returns null if only other cards had none, or if texts or models have changed since the last check.';
grant execute on function search.is_embedded to qm_reader;
