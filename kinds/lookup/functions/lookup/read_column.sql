-- lookup.read_column: it uses dynamic SQL because people choose the table and its columns. The table is a regclass, and
-- each column is quoted.
create or replace function lookup.read_column(p_relation regclass, p_id_column text, p_column text, p_keys text[])
returns table (key text, value jsonb)
language plpgsql
stable parallel unsafe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query execute format(
        'select s.%I::text, to_jsonb(s.%I) from %s as s where btrim(s.%I::text) <> '''' and s.%I is not null and ($1 '
        'is null or s.%I::text = any($1))',
        p_id_column,
        p_column,
        p_relation,
        p_id_column,
        p_column,
        p_id_column
    ) using p_keys;
end
$function$;
comment on function lookup.read_column(regclass, text, text, text[]) is
'Reads a column of a user''s own table, row by row. Arguments: p_relation: name of the table; p_id_column: name of the '
'id column; p_column: name of the column to read; p_keys: ids of the rows (null: all rows). Returns the id and the '
'value for each row in which the value is not null.';
