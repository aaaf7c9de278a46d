-- calls.is_failure: tells whether an outcome is a sign of trouble at the origin.
-- Errors of the tool itself, invalid arguments, missing credentials, a full queue on our side and cancelled calls are
-- not.
create or replace function calls.is_failure(p_outcome text)
returns boolean
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_outcome in ('timeout', 'network', 'died', 'protocol');
$function$;
comment on function calls.is_failure(text) is 'Argument: outcome of calls.call.';
