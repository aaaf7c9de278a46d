-- stats.counted_to: returns how far a log has been counted. The caller continues from there; the lock keeps others out
-- until the transaction ends.
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
'Argument: calls or selections. Returns the time; -infinity before the first count.';
