create or replace function core.tally(p_values text[])
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(jsonb_object_agg(c.value, c.times), '{}')
    from (select v.value, count(*) as times from unnest(p_values) as v (value) group by v.value) as c;
$function$;
comment on function core.tally(text[]) is
'Counts how often each value occurs. Argument p_values: the values, such as the kinds of some items. Returns a JSON '
'object with one member for each distinct value, such as {"tool": 3, "asset": 1}.';
grant execute on function core.tally to qm_reader;
