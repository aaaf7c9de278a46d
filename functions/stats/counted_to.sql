-- stats.counted_to: how far a log is counted; whoever asks counts on, and nobody else until the transaction ends.
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
comment on function stats.counted_to(text) is 'Argument: calls or selections. Returns the moment; -infinity at first.';
