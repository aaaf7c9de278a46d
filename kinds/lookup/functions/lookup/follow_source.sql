create or replace function lookup.follow_source(p_table_id integer, p_relation regclass)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    execute format(
        'create or replace trigger %I after insert on %s referencing new table as after_rows'
        ' for each statement execute function lookup.note_source_change(%L)',
        format('qm_lookup_%s_insert', p_table_id),
        p_relation,
        p_table_id
    );
    execute format(
        'create or replace trigger %I after update on %s referencing old table as before_rows new table as after_rows'
        ' for each statement execute function lookup.note_source_change(%L)',
        format('qm_lookup_%s_update', p_table_id),
        p_relation,
        p_table_id
    );
    execute format(
        'create or replace trigger %I after delete on %s referencing old table as before_rows'
        ' for each statement execute function lookup.note_source_change(%L)',
        format('qm_lookup_%s_delete', p_table_id),
        p_relation,
        p_table_id
    );
    execute format(
        'create or replace trigger %I after truncate on %s for each statement execute function '
        'lookup.note_source_change(%L)',
        format('qm_lookup_%s_truncate', p_table_id),
        p_relation,
        p_table_id
    );
end
$function$;
comment on function lookup.follow_source(integer, regclass) is
'Creates triggers on the user''s own table from which a lookup table reads. The triggers report changes to that table. '
'Arguments: p_table_id: id of the lookup table; p_relation: the user''s own table.';
