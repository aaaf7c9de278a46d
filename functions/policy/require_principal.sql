-- policy.require_principal: every definer function calls this function first, so that it refuses sessions without a
-- principal.
create or replace function policy.require_principal()
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.principal_id();
begin
    if v_principal_id is null then
        perform core.fail(
            'principal_unknown',
            format('the session of %s has no enabled principal', quote_ident(session_user)) collate core.c_utf8
        );
    end if;
    return v_principal_id;
end
$function$;
comment on function policy.require_principal() is
'Returns the id of the caller''s principal. Raises QM403 principal_unknown if the session has no principal.';
grant execute on function policy.require_principal to qm_reader;
