-- policy.visible_classes: which rights classes may the session see?
-- Definer because rules and what they come to are under policies that nobody passes.
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
comment on function policy.visible_classes() is 'One bit a rights class, 1 for seen, for the asking principal and toolset; null where the session is nobody.';
grant execute on function policy.visible_classes to qm_user;
