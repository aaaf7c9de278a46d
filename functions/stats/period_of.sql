create or replace function stats.period_of(p_hour timestamptz, p_per text)
returns timestamptz
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case p_per when 'hour' then p_hour when 'day' then date_bin('1 day', p_hour, '2000-01-01 00:00+00') end;
$function$;
comment on function stats.period_of(timestamptz, text) is
'Finds the period (in UTC) to which an hour belongs. Arguments: p_hour: start of the hour; p_per: length of the '
'period: hour or day (null: one period for all hours). Returns the start of the period. Returns null if p_per is null.';
grant execute on function stats.period_of to qm_reader;
