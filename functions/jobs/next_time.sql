-- jobs.next_time: returns the next due time of a job that lies in the future, so that several missed runs are caught up
-- by one.
create or replace function jobs.next_time(p_due timestamptz, p_every interval, p_now timestamptz)
returns timestamptz
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_due + (floor(extract(epoch from p_now - p_due) / extract(epoch from p_every)) + 1) * p_every;
$function$;
comment on function jobs.next_time(timestamptz, interval, timestamptz) is
'Arguments: the time at which it was due, not later than now; interval from one start to the next; the current time. '
'Returns the first due time after the current time.';
