-- calls.judge_origin: it reads the last 200 calls that ended within the time in the setting breaker.window, and after
-- the breaker last closed. Errors need at least breaker.failures failed calls, and at least the share breaker.share of
-- all calls. Slowness needs at least breaker.failures slow calls, and more than one in twenty, which means that the
-- 95th percentile is higher than usual. Each call is compared with the usual duration of its own tool (calls.is_slow).
-- One principal's calls prove little, because they may fail through their arguments. The breaker for everybody opens in
-- two cases: the same is true of the calls of at least two principals, and of at least the share breaker.share of all
-- principals that called; or the calls did not even reach the origin, which no caller can cause.
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
