-- jobs.next_time: due times that have passed are skipped, so a job that missed several runs runs only once.
create or replace function jobs.next_time(p_due timestamptz, p_every interval, p_now timestamptz)
returns timestamptz
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_due + (floor(extract(epoch from p_now - p_due) / extract(epoch from p_every)) + 1) * p_every;
$function$;
comment on function jobs.next_time(timestamptz, interval, timestamptz) is
'Computes when a job is due next. Arguments: p_due: the time at which the job was due, not later than now; p_every: '
'interval between two starts of the job; p_now: the current time. Returns the first due time after the current time.';
