-- calls.is_failure: some outcomes are not treated as failures, because the origin may be healthy: errors of the tool
-- itself, invalid arguments, missing credentials, a full queue in Quartermaster, and cancelled calls.
create or replace function calls.is_failure(p_outcome text)
returns boolean
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_outcome in ('timeout', 'network', 'died', 'protocol');
$function$;
comment on function calls.is_failure(text) is
'Returns true if an outcome of a call is treated as a failure of the origin. Argument p_outcome: outcome of the call, '
'as in calls.call.';
