-- lookup.refresh_all: if a table cannot be refreshed, its rows do not change and its reason is stored
-- (api.list_lookup_sources). The other tables are still refreshed.
-- Writes: lookup.*, cards.
create or replace function lookup.refresh_all()
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_due record;
    v_refreshed integer := 0;
    v_failed text;
begin
    for v_due in
        select s.table_id, t.name, s.follows
        from lookup.source as s
        inner join lookup.lookup_table as t on t.id = s.table_id
        where case
            when s.follows then exists (select from lookup.source_change as c where c.table_id = s.table_id)
            -- A time in the future is from before the clock was set back.
            else coalesce(core.now() < s.refreshed_at or s.refreshed_at + s.every <= core.now(), true)
        end
        order by s.refreshed_at nulls first, s.table_id
    loop
        begin
            perform lookup.refresh(v_due.table_id, not v_due.follows);
            v_refreshed := v_refreshed + 1;
        exception
            when sqlstate 'QM422' or insufficient_privilege or data_exception then
                v_failed := concat_ws('; ', v_failed, format('%s: %s', v_due.name, sqlerrm));
                update lookup.source as s set failure = sqlerrm where s.table_id = v_due.table_id;
        end;
    end loop;
    return jsonb_strip_nulls(jsonb_build_object('refreshed', v_refreshed, 'warning', v_failed));
end
$function$;
comment on function lookup.refresh_all() is
'Refreshes lookup tables that read users'' own tables. A lookup table with triggers is refreshed if changes were '
'reported; a lookup table without triggers is refreshed at regular intervals. Returns JSON {refreshed, warning}: the '
'number of refreshed tables, and a warning if a refresh failed.';
