-- lookup.follow_source: creates the triggers on a user's own table that report its changes.
create or replace function lookup.follow_source(p_table_id integer, p_relation regclass)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_event text;
    v_tables text;
begin
    for v_event, v_tables in
        values
            ('insert', 'referencing new table as after_rows'),
            ('update', 'referencing old table as before_rows new table as after_rows'),
            ('delete', 'referencing old table as before_rows'),
            ('truncate', '')
    loop
        execute format(
            'create or replace trigger %I after %s on %s %s for each statement execute function lookup.note_source_change(%L)',
            format('qm_lookup_%s_%s', p_table_id, v_event), v_event, p_relation, v_tables, p_table_id
        );
    end loop;
end
$function$;
comment on function lookup.follow_source(integer, regclass) is 'Arguments: lookup table; the user''s own table.';
