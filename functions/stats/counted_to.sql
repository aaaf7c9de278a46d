-- stats.counted_to: the caller counts the entries after this time. The function locks the log's row in stats.watermark
-- until the transaction ends, so that no entry is counted twice.
-- Writes: stats.watermark.
create or replace function stats.counted_to(p_name text)
returns timestamptz
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_counted_to timestamptz;
begin
    insert into stats.watermark (name, counted_to) values (p_name, '-infinity') on conflict (name) do nothing;
    select w.counted_to into v_counted_to from stats.watermark as w where w.name = p_name for update;
    return v_counted_to;
end
$function$;
comment on function stats.counted_to(text) is
'Returns the time up to which the entries of a log have been counted. Returns -infinity before the first count. '
'Argument p_name: name of the log: calls or selections.';
