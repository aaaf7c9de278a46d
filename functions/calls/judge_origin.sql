-- calls.judge_origin: the function reads the last 200 calls that ended within the time in the setting breaker.window,
-- and after the breaker last closed. A breaker opens in two cases:
--   failures: at least breaker.failures calls failed, and their share of all calls is at least breaker.share;
--   slowness: at least breaker.failures calls were slow (calls.is_slow), and more than one call in twenty was slow. The
--       95th percentile of the durations is then higher than usual.
-- The calls of a single principal prove little, because its arguments may be the cause. The breaker for everybody
-- therefore opens only if many principals are affected: at least two, and at least the share breaker.share of those
-- that called. The exception is calls that did not reach the origin, because no caller can cause such failures. If
-- these calls alone are a case of failures, the breaker for everybody opens.
-- Writes: calls.breaker.
create or replace function calls.judge_origin(p_origin_id bigint, p_principal_id bigint)
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_least constant integer := (core.get_setting('breaker.failures'))::integer;
    v_share constant double precision := (core.get_setting('breaker.share'))::double precision;
    v_all record;
    v_own record;
begin
    if v_least = 0
        or exists (
            select from calls.breaker as b
            where b.origin_id = p_origin_id and b.principal_id is null and b.state <> 'closed'
        )
    then
        return false;
    end if;
    select
        sum(c.calls) as calls,
        sum(c.failures) as failures,
        sum(c.slow) as slow,
        sum(c.unreached) as unreached,
        count(*) filter (where c.failures > 0 and c.failures >= v_share * c.calls) as failing,
        count(*) filter (where 20 * c.slow > c.calls) as slowed,
        greatest(2, v_share * count(*)) as many,
        mode() within group (order by c.worst collate core.c_utf8) as worst
    into v_all
    from calls.count_recent(p_origin_id, null) as c;
    if v_all.unreached >= v_least and v_all.unreached >= v_share * v_all.calls then
        return calls.open_breaker(
            p_origin_id, format('%s of the last %s calls did not reach it', v_all.unreached, v_all.calls)
        );
    end if;
    if v_all.failures >= v_least and v_all.failures >= v_share * v_all.calls and v_all.failing >= v_all.many then
        return calls.open_breaker(
            p_origin_id,
            format(
                '%s of the last %s calls, those of %s principals, failed, most of them with %s',
                v_all.failures,
                v_all.calls,
                v_all.failing,
                v_all.worst
            )
        );
    end if;
    if v_all.slow >= v_least and 20 * v_all.slow > v_all.calls and v_all.slowed >= v_all.many then
        return calls.open_breaker(
            p_origin_id,
            format(
                '%s of the last %s calls, those of %s principals, took more than %s times as long as usual',
                v_all.slow,
                v_all.calls,
                v_all.slowed,
                core.get_setting('breaker.slow_times')
            )
        );
    end if;
    select c.* into v_own from calls.count_recent(p_origin_id, p_principal_id) as c;
    if v_own.failures >= v_least and v_own.failures >= v_share * v_own.calls then
        return calls.open_breaker(
            p_origin_id,
            format(
                '%s of the last %s calls of this principal failed, most of them with %s',
                v_own.failures,
                v_own.calls,
                v_own.worst
            ),
            p_principal_id
        );
    end if;
    if v_own.slow >= v_least and 20 * v_own.slow > v_own.calls then
        return calls.open_breaker(
            p_origin_id,
            format(
                '%s of the last %s calls of this principal took more than %s times as long as usual',
                v_own.slow,
                v_own.calls,
                core.get_setting('breaker.slow_times')
            ),
            p_principal_id
        );
    end if;
    return false;
end
$function$;
comment on function calls.judge_origin(bigint, bigint) is
'Opens a circuit breaker of an origin in two cases: unusually many recent calls to the origin failed, or the 95th '
'percentile of their durations has risen sharply. Arguments: p_origin_id: id of the origin; p_principal_id: id of the '
'principal whose call has just ended. Returns true if the function opened a breaker: the breaker for all principals, '
'or the breaker of this principal.';
