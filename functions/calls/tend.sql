-- Writes: tables calls.call_YYYY_MM_DD, calls.call, calls.answer.
create or replace function calls.tend()
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $function$
declare
    v_today constant date := core.now()::date;
    v_keep constant interval := (core.get_setting('call.keep') #>> '{}')::interval;
    -- All days are read before the loop starts, because no partition can be added to a table while a query is reading
    -- the table.
    v_days constant date[] := array(
        select (v_today + n)::date
        from generate_series(0, 2) as n
        union
        select (c.started_at)::date
        from calls.call as c
        where c.tableoid = 'calls.call_default'::regclass
            and c.started_at < v_today + interval '3 days'
            and (v_keep = interval '0' or c.started_at > core.now() - v_keep)
        order by 1
        limit 100
    );
    v_day date;
    v_partitions integer := 0;
begin
    foreach v_day in array v_days
    loop
        v_partitions := v_partitions + calls.add_partition(v_day)::integer;
    end loop;
    return jsonb_build_object('partitions', v_partitions, 'answers', calls.tidy_answers());
end
$function$;
comment on function calls.tend() is
'Creates the missing partitions of the call log, and deletes expired answers. Returns JSON with two numbers: '
'partitions (created partitions) and answers (deleted answers).';
