-- lookup.refresh_all: the job that refreshes lookup tables over tables of the user's own: where changes were noted, and where nobody
-- notes them, once in a while. One that fails keeps its rows, says why, and stops no other.
-- Writes: lookup.*, cards.
create or replace function lookup.refresh_all()
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id integer;
    v_name text;
    v_all boolean;
    v_refreshed integer := 0;
    v_failed text[] := '{}';
begin
    for v_id, v_name, v_all in
        select s.table_id, t.name, not s.follows
        from lookup.source as s
        inner join lookup.lookup_table as t on t.id = s.table_id
        where case
            when s.follows then exists (select from lookup.source_change as c where c.table_id = s.table_id)
            else coalesce(s.refreshed_at + s.every <= core.now(), true)
        end
        order by s.refreshed_at nulls first, s.table_id
    loop
        begin
            perform lookup.refresh(v_id, v_all);
            v_refreshed := v_refreshed + 1;
        exception
            when sqlstate 'QM422' or insufficient_privilege or data_exception then
                v_failed := v_failed || format('%s: %s', v_name, sqlerrm);
                update lookup.source as s set failure = sqlerrm where s.table_id = v_id;
        end;
    end loop;
    return jsonb_build_object('refreshed', v_refreshed)
        || case when v_failed <> '{}' then jsonb_build_object('warning', array_to_string(v_failed, '; ')) else '{}' end;
end
$function$;
comment on function lookup.refresh_all() is 'Returns how many tables were refreshed, and a warning where one was not: {refreshed, warning}.';
