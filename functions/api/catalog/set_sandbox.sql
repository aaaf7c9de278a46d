-- Writes: catalog.origin.
create or replace function api.set_sandbox(origin text, sandbox jsonb)
returns jsonb
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
    v_origin catalog.origin;
begin
    perform policy.require_principal();
    v_origin_id := catalog.origin_id(set_sandbox.origin);
    select o.*
    into v_origin
    from catalog.origin as o
    where o.id = v_origin_id
    for no key update;
    perform catalog.check_sandbox(
        v_origin.name, v_origin.transport, v_origin.command, v_origin.cwd, set_sandbox.sandbox
    );
    update catalog.origin as o
    set sandbox = coalesce(set_sandbox.sandbox, '{}'), revision = o.revision + 1
    where o.id = v_origin.id;
    perform pg_notify('qm_origins', v_origin.id::text);
    return coalesce(set_sandbox.sandbox, '{}');
end
$function$;
comment on function api.set_sandbox(text, jsonb) is
'Replaces the sandbox of an origin, and restarts the origin''s program. Arguments: origin: name of the origin; '
'sandbox: what the program may see, as {folders: [{path, write}], network}, in which network is internet, none or '
'host. Returns the new sandbox. Raises QM404 origin_not_found, QM422 origin_invalid.';
grant execute on function api.set_sandbox to qm_admin;
