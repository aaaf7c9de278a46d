-- calls.close_breaker: closes the breaker of an origin. Earlier failures no longer count.
-- Writes: calls.breaker.
create or replace function calls.close_breaker(p_origin_id bigint)
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    update calls.breaker as b
    set state = 'closed', closed_at = core.now(), probe_call_id = null, probe_until = null
    where b.origin_id = p_origin_id and b.state <> 'closed';
    if not found then
        return false;
    end if;
    perform pg_notify('qm_breakers', p_origin_id::text);
    return true;
end
$function$;
comment on function calls.close_breaker(bigint) is
'Closes the breaker of an origin. Argument p_origin_id: id of the origin. Returns whether the breaker of the origin '
'was open or half open.';
