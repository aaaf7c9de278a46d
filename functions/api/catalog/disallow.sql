-- Writes: catalog.allowance.
create or replace function api.disallow(kind text, value text, origin text default null)
returns text
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_value constant text := catalog.allowed_value(disallow.kind, disallow.value);
begin
    perform policy.require_principal();
    delete from catalog.allowance as a
    where a.kind = disallow.kind and a.value = v_value and a.origin is not distinct from disallow.origin;
    if not found then
        perform core.fail('allowance_not_found', format('no administrator has allowed %s', v_value));
    end if;
    perform catalog.announce_networks(disallow.kind, disallow.origin);
    return v_value;
end
$function$;
comment on function api.disallow(text, text, text) is
'Removes a permission that api.allow gave to origins. Existing origins can still use a program, an environment '
'variable or a secret that they use already. But no origin can connect to a removed network or address any more. '
'Arguments: kind, value and origin, as in api.allow. Returns the value that was removed. Raises QM404 '
'allowance_not_found, QM422 allowance_invalid.';
grant execute on function api.disallow to qm_admin;
