-- knowledge.is_stale: tells whether a note should be reviewed again.
create or replace function knowledge.is_stale(p_reviewed_on date)
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select core.now() > p_reviewed_on + make_interval(days => (core.get_setting('knowledge.fresh_for'))::integer);
$function$;
comment on function knowledge.is_stale(date) is
'Tells whether a note should be reviewed again. Argument p_reviewed_on: day of the last review.';
grant execute on function knowledge.is_stale to qm_reader;
