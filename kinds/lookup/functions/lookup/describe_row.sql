create or replace function lookup.describe_row(p_value text, p_name text, p_properties jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select concat_ws(' · ', nullif(p_name, p_value), (
        select string_agg(p.key || ': ' || left(p.value, 60), ' · ' order by p.key collate core.c_utf8)
        from (
            select x.key, x.value
            from jsonb_each_text(p_properties) as x
            where btrim(x.value) <> ''
            order by x.key collate core.c_utf8
            limit 4
        ) as p
    ));
$function$;
comment on function lookup.describe_row(text, text, jsonb) is
'Describes how a row differs from other rows with the same name. The description contains the alias that matched, and '
'then the properties of the row. Arguments: p_value: value of the row; p_name: name that matched the query; '
'p_properties: properties of the row. Returns one line, which may be empty.';
grant execute on function lookup.describe_row to qm_reader;
