-- calls.is_failure: whether an outcome says that the origin is in trouble.
-- What the tool itself refused, bad arguments, credentials, a full queue of ours and what the client ended say nothing of that kind.
create or replace function calls.is_failure(p_outcome text)
returns boolean
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_outcome in ('timeout', 'network', 'died', 'protocol');
$function$;
comment on function calls.is_failure(text) is 'Argument: outcome of calls.call.';
