-- Writes: calls.breaker, catalog.origin.
create or replace function api.reset_breaker(name text)
returns boolean
language sql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select catalog.begin_anew(catalog.origin_id(reset_breaker.name));
    select calls.close_breaker(catalog.origin_id(reset_breaker.name));
$function$;
comment on function api.reset_breaker(text) is
'Closes the circuit breakers of an origin, so that all callers can call the origin again immediately. Argument name: '
'name of the origin. Returns true if at least one of the breakers was open or half open, otherwise false. Failures '
'before this reset can no longer open a breaker. The next call starts the program of the origin anew, or begins a new '
'session with it. Raises QM404 origin_not_found.';
grant execute on function api.reset_breaker to qm_operator;
