-- selection.refresh_utility: the table is updated regularly, so that a search need not count calls. Only the calls and
-- reported outcomes of the period in the setting utility.window count. The success rate of a card with few calls is
-- moved towards the rate of its kind: it is (successes + k * rate) / (calls + k), where rate is the rate of the kind
-- and k is the setting utility.prior_calls. This is the posterior mean under a beta prior (Gelman et al., Bayesian Data
-- Analysis, chapter 5). The 95th percentile of the duration (p95) is moved towards that of the kind in the same way.
-- Slowness is p95 / (p95 + 5 s), between 0 and 1. Calls that failed because of the caller or of Quartermaster, or whose
-- outcome is unknown, do not count.
-- Writes: selection.utility.
create or replace function selection.refresh_utility()
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_since constant timestamptz := v_now - (core.get_setting('utility.window') #>> '{}')::interval;
    v_k constant real := (core.get_setting('utility.prior_calls'))::real;
    v_count integer;
begin
    insert into selection.utility as u (
        kind, ref, calls, successes, success_rate, p95_ms, success_gain, latency_loss, refreshed_at
    )
    with call as materialized (
        select h.kind, h.ref, h.outcome = 'ok' as is_success, h.calls::bigint as calls, h.durations
        from stats.call_hour as h
        inner join search.kind as k on k.name = h.kind and k.has_outcomes
        where h.hour > v_since
            and h.outcome in ('ok', 'failed', 'tool_error', 'timeout', 'auth', 'network', 'died', 'protocol')
    ),

    card as (
        select
            c.kind,
            c.ref,
            sum(c.calls) as calls,
            coalesce(sum(c.calls) filter (where c.is_success), 0) as successes,
            stats.quantile(array_agg(c.durations), 0.95) as p95
        from call as c
        group by c.kind, c.ref
    ),

    shrunk as (
        select
            t.kind,
            t.ref,
            t.calls,
            t.successes,
            k.rate,
            k.p95 / (k.p95 + 5000) as slowness,
            (t.successes + v_k * k.rate) / (t.calls + v_k) as success_rate,
            (t.calls * t.p95 + v_k * k.p95) / (t.calls + v_k) as p95_ms
        from card as t
        inner join (
            select
                c.kind,
                (coalesce(sum(c.calls) filter (where c.is_success), 0) / sum(c.calls))::real as rate,
                stats.quantile(array_agg(c.durations), 0.95) as p95
            from call as c
            group by c.kind
        ) as k on k.kind = t.kind
    )

    select
        s.kind, s.ref, s.calls, s.successes, s.success_rate, s.p95_ms, s.success_rate - s.rate,
        s.p95_ms / (s.p95_ms + 5000) - s.slowness, v_now
    from shrunk as s
    on conflict (kind, ref) do update
    set
        calls = excluded.calls,
        successes = excluded.successes,
        success_rate = excluded.success_rate,
        p95_ms = excluded.p95_ms,
        success_gain = excluded.success_gain,
        latency_loss = excluded.latency_loss,
        refreshed_at = excluded.refreshed_at;
    get diagnostics v_count = row_count;
    delete from selection.utility as u where u.refreshed_at <> v_now;
    return v_count;
end
$function$;
comment on function selection.refresh_utility() is
'Updates the table selection.utility from the counts of calls in stats.call_hour. The table contains the success rate '
'and latency of calls, which are used for ranking. Returns the number of cards that have calls or reported outcomes.';
