-- Writes: catalog.allowance.
create or replace function api.allow(kind text, value text, origin text default null)
returns text
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_value constant text := catalog.allowed_value(allow.kind, allow.value);
begin
    perform policy.require_principal();
    insert into catalog.allowance (kind, value, origin, allowed_by)
    values (allow.kind, v_value, allow.origin, policy.principal_id())
    on conflict on constraint allowance_key do nothing;
    perform catalog.announce_networks(allow.kind, allow.origin);
    return v_value;
end
$function$;
comment on function api.allow(text, text, text) is
'Allows origins to use a program, an environment variable or a secret, or to connect to an address that is not public. '
'Arguments: kind: kind of the permission (program, environment, secret or network); value: what the origins may use '
'(program: a JSON array with the program and its arguments; environment: env:NAME; secret: secret:NAME; network: an '
'address or a network); origin: name of the origin that gets the permission (null: all origins). Returns the value in '
'the form in which it is stored. Raises QM422 allowance_invalid.';
grant execute on function api.allow to qm_admin;
