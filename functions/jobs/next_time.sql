-- jobs.next_time: when a job is due again: the next of its moments that lies ahead, so that missed runs are caught up once.
create or replace function jobs.next_time(p_due timestamptz, p_every interval, p_now timestamptz)
returns timestamptz
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_due + (floor(extract(epoch from p_now - p_due) / extract(epoch from p_every)) + 1) * p_every;
$function$;
comment on function jobs.next_time(timestamptz, interval, timestamptz) is 'Arguments: when it was due, at the latest now; from one start to the next; the present. Returns the first moment of that rhythm after the present.';
