-- lookup.note_source_change: the trigger only records the ids of changed rows, so that it neither delays nor stops
-- writes to the user's table. The lookup table reads the rows later (lookup.refresh).
-- Definer: users who write to that table have no permission to write lookup.source_change.
-- Writes: lookup.source_change.
create or replace function lookup.note_source_change()
returns trigger
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := tg_argv[0]::integer;
    v_id_column text;
begin
    select s.id_column into v_id_column from lookup.source as s where s.table_id = v_table_id;
    if v_id_column is null then
        return null; -- the lookup table has been deleted, but the trigger still exists
    end if;
    if tg_op = 'TRUNCATE' or not exists (
        select from pg_attribute as a where a.attrelid = tg_relid and a.attname = v_id_column and not a.attisdropped
    ) then
        insert into lookup.source_change (table_id, key) values (v_table_id, null);
        return null;
    end if;
    execute format(
        case tg_op
            when 'INSERT'
                then 'insert into lookup.source_change (table_id, key) select distinct $1, a.%1$I::text from '
                    'after_rows as a'
            when 'DELETE'
                then 'insert into lookup.source_change (table_id, key) select distinct $1, b.%1$I::text from '
                    'before_rows as b'
            else
                'insert into lookup.source_change (table_id, key)'
                ' select $1, a.%1$I::text from after_rows as a union select $1, b.%1$I::text from before_rows as b'
        end,
        v_id_column
    ) using v_table_id;
    return null;
end
$function$;
comment on function lookup.note_source_change() is
'Records which rows of a user''s own table have changed, in lookup.source_change. This trigger function runs once for '
'each statement. Trigger argument: id of the lookup table. It reads the transition tables before_rows and after_rows.';
