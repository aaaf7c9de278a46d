-- api.enable_principal: the change takes effect with the next request of the principal.
-- Writes: policy.principal.
create or replace function api.enable_principal(name text, enabled boolean default true)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_self constant bigint := policy.require_principal();
    v_id constant bigint := policy.find_principal(enable_principal.name);
begin
    if v_id = v_self and not enable_principal.enabled then
        perform core.fail(
            'principal_is_self', format('%L is your own principal, which you cannot disable', enable_principal.name)
        );
    end if;
    update policy.principal as p set enabled = enable_principal.enabled where p.id = v_id;
end
$function$;
comment on function api.enable_principal(text, boolean) is
'Enables or disables a principal. This also applies to the keys, the tokens and the database role of the principal. '
'Arguments: name: name of the principal; enabled: true to enable the principal, false to disable the principal. No '
'principal can disable itself, so that at least one administrator always remains. Raises QM403 principal_unknown, '
'QM404 principal_not_found, QM409 principal_is_self.';
grant execute on function api.enable_principal to qm_admin;
