-- stats.count_calls: the function counts every hour again in full if a call in this hour has ended since the last run.
-- So no call is counted twice. It also reads the last ten minutes before the last run again, because a call may be
-- committed after another call that ended later.
-- During an outage, calls are recorded in a spool. When they are stored later, they are counted separately as late
-- calls, because their hours were counted long ago. Hours whose calls were deleted from the log keep their counts.
-- Probes (calls.probe), stored answers and reads are not counted.
-- Writes: stats.call_hour, stats.watermark.
create or replace function stats.count_calls()
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_keep constant interval := (core.get_setting('call.keep') #>> '{}')::interval;
    v_from constant timestamptz := stats.counted_to('calls');
    v_since constant timestamptz := v_from - interval '10 minutes';
    v_kept_from constant timestamptz := case when v_keep > interval '0' then v_now - v_keep else '-infinity' end;
    v_hours timestamptz[];
    v_late bigint;
    v_calls bigint;
begin
    v_hours := array(
        select distinct date_bin('1 hour', c.started_at, '2000-01-01 00:00+00')
        from calls.call as c
        where (c.ended_at > v_since or c.replayed_at > v_since) and c.started_at >= v_kept_from + interval '1 hour'
    );
    select coalesce(sum(h.calls), 0)
    into v_late
    from stats.call_hour as h
    where h.hour = any(v_hours) and h.hour + interval '1 hour' <= v_since;
    delete from stats.call_hour as h where h.hour = any(v_hours);

    with counted as (
        select
            x.hour,
            c.kind,
            c.ref,
            c.principal_id,
            c.outcome,
            stats.duration_bucket(c.duration_ms) as bucket,
            count(*) as calls,
            coalesce(sum(c.duration_ms), 0) as duration_ms,
            sum(c.argument_bytes) as argument_bytes,
            coalesce(sum(c.result_bytes), 0) as result_bytes,
            coalesce(max(c.result_bytes), 0) as largest_bytes
        from unnest(v_hours) as x (hour)
        inner join calls.call as c on c.started_at >= x.hour and c.started_at < x.hour + interval '1 hour'
        where c.outcome <> 'pending'
            and c.ref is not null
            and c.answered_by = 'upstream'
            and not exists (select from calls.probe as p where p.call_id = c.id)
        group by 1, 2, 3, 4, 5, 6
    )

    insert into stats.call_hour (
        hour, kind, ref, principal_id, outcome, calls, duration_ms, argument_bytes, result_bytes, largest_bytes,
        durations
    )
    select
        n.hour,
        n.kind,
        n.ref,
        n.principal_id,
        n.outcome,
        sum(n.calls),
        sum(n.duration_ms),
        sum(n.argument_bytes),
        sum(n.result_bytes),
        max(n.largest_bytes),
        jsonb_object_agg(n.bucket, n.calls)
    from counted as n
    group by n.hour, n.kind, n.ref, n.principal_id, n.outcome;

    select
        coalesce(sum(h.calls), 0),
        coalesce(sum(h.calls) filter (where h.hour + interval '1 hour' <= v_since), 0) - v_late
    into v_calls, v_late
    from stats.call_hour as h
    where h.hour = any(v_hours);
    update stats.watermark as w
    set counted_to = v_now, late = w.late + case when v_from > '-infinity' then greatest(v_late, 0) else 0 end
    where w.name = 'calls';
    return v_calls;
end
$function$;
comment on function stats.count_calls() is
'Recounts all calls in each hour that has new calls. Returns the number of calls in all of these hours.';
