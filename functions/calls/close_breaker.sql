-- calls.close_breaker: calls that ended before a breaker closed no longer count as its failures.
-- Writes: calls.breaker.
create or replace function calls.close_breaker(p_origin_id bigint, p_call_id bigint default null)
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    update calls.breaker as b
    set state = 'closed', closed_at = core.now(), probe_call_id = null, probe_until = null
    where b.origin_id = p_origin_id and b.state <> 'closed' and (p_call_id is null or b.probe_call_id = p_call_id);
    if not found then
        return false;
    end if;
    perform pg_notify('qm_breakers', p_origin_id::text);
    return true;
end
$function$;
comment on function calls.close_breaker(bigint, bigint) is
'Closes the circuit breakers of an origin. Arguments: p_origin_id: id of the origin; p_call_id: id of a test call, to '
'close only the breakers for which this call was made (null: all breakers of the origin). Returns true if at least one '
'of these breakers was open or half open.';
