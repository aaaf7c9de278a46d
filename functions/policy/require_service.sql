-- policy.require_service: operations that only the service needs call this function first, so that people who log in to
-- the database cannot use them. These operations also read hidden tools, to record that a call was denied. With
-- EXPLAIN, people could see how many pages an operation read, and so learn about hidden tools.
create or replace function policy.require_service()
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
begin
    if session_user <> 'qm_service' then
        perform core.fail(
            'service_required',
            format('the session of %s is not a session of the service', quote_ident(session_user)) collate core.c_utf8
        );
    end if;
    return v_principal_id;
end
$function$;
comment on function policy.require_service() is
'Checks that the session belongs to the service. Returns the id of the caller''s principal. Raises an error if the '
'session does not belong to the service. The errors are QM403 principal_unknown, service_required.';
