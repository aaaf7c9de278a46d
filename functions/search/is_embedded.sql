-- search.is_embedded: checks whether it is known that no card of a kind waits for a vector. search.claim_unembedded
-- finds this out.
-- Without a service, nobody claims texts, and then somebody has to count (search.count_unembedded).
-- The function runs with the rights of its owner (security definer), because only the search engine may read what waits.
create or replace function search.is_embedded(p_kind text)
returns boolean
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return exists (select from search.embedded_kind as e where e.kind = p_kind and e.changes = search.count_changes());
end
$function$;
comment on function search.is_embedded(text) is
'Checks whether all cards of a kind are known to have vectors from the active model. Argument p_kind: kind of card. '
'Returns false if some cards may have no vector yet.';
grant execute on function search.is_embedded to qm_reader;
