create or replace function policy.visible_classes()
returns bit varying
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    return policy.rights_of(policy.principal_id(), policy.toolset_name());
end
$function$;
comment on function policy.visible_classes() is
'Computes which cards the caller may see in the session''s toolset. Returns one bit for each rights class: 1 if the '
'caller may see the cards of this class, otherwise 0. Returns null if the session has no principal.';
grant execute on function policy.visible_classes to qm_reader, qm_admin;
