-- Writes: selection.exposure.
create or replace function api.end_session(session text)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_count integer;
begin
    delete from selection.exposure as e where e.session = end_session.session and e.principal_id = v_principal_id;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function api.end_session(text) is
'Ends one of the caller''s MCP sessions. Argument session: id of the session. Returns the number of tools that '
'searches had added to the session''s list.';
grant execute on function api.end_session to qm_user;
