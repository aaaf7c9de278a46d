-- lookup.read_column: a column of a table of the user's own, row by row.
-- Dynamic because people name the table and its columns: the table is one of the catalog, each column is quoted.
create or replace function lookup.read_column(p_relation regclass, p_id_column text, p_column text, p_keys text[])
returns table (key text, value jsonb)
language plpgsql
stable parallel unsafe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query execute format(
        'select s.%I::text, to_jsonb(s.%I) from %s as s where btrim(s.%I::text) <> '''' and s.%I is not null and ($1 is null or s.%I::text = any($1))',
        p_id_column, p_column, p_relation, p_id_column, p_column, p_id_column
    ) using p_keys;
end
$function$;
comment on function lookup.read_column(regclass, text, text, text[]) is
'Arguments: table; its columns of ids and of what is read; ids of the rows, null for all. Returns what is not null.';
