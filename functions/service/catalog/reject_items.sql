-- Writes: catalog.refresh.
create or replace function service.reject_items(refresh_id bigint, rejected jsonb)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    update catalog.refresh as r
    set rejected = r.rejected || reject_items.rejected
    where r.id = reject_items.refresh_id and r.status = 'running';
    if not found then
        perform core.fail('refresh_not_found', format('no refresh with the id %s is running', reject_items.refresh_id));
    end if;
end
$function$;
comment on function service.reject_items(bigint, jsonb) is
'Records definitions that the service could not store, with the reasons (for example, an invalid JSON Schema). '
'Arguments: refresh_id: id of the running refresh; rejected: JSON array of {kind, name, reason}, with one element for '
'each rejected definition. Raises QM404 refresh_not_found.';
grant execute on function service.reject_items to qm_operator;
