create or replace function api.suggest_lookup_properties(
    prefix text default '',
    lookup text default null,
    lookups text[] default null,
    with_columns boolean default false,
    maximum integer default 20,
    skip integer default 0
)
returns table (name text, in_lookups text[])
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_ids constant integer[] := lookup.visible_tables(suggest_lookup_properties.lookup);
    v_text constant text := lower(btrim(suggest_lookup_properties.prefix) collate core.c_utf8);
    v_columns constant text[] := case
        when suggest_lookup_properties.with_columns then lookup.row_columns()
        else '{}'
    end;
begin
    perform lookup.require_page(suggest_lookup_properties.maximum, suggest_lookup_properties.skip);
    return query
    select p.name, array_agg(t.name order by t.name)
    from lookup.lookup_table as t
    cross join lateral (
        select x.name from unnest(t.properties) as x (name) union select c.name from unnest(v_columns) as c (name)
    ) as p
    where t.id = any(v_table_ids)
        and (suggest_lookup_properties.lookups is null or t.name = any(suggest_lookup_properties.lookups))
        and strpos(lower(p.name), v_text) > 0
    group by p.name
    order by bool_and(p.name = any(v_columns)), starts_with(lower(p.name), v_text) desc, p.name
    limit suggest_lookup_properties.maximum
    offset suggest_lookup_properties.skip;
end
$function$;
comment on function api.suggest_lookup_properties(text, text, text[], boolean, integer, integer) is
'Suggests names of properties that contain a given text. Names that begin with the text come first. Arguments: prefix: '
'the text; lookup: name of a lookup table (null: all lookup tables); lookups: names of the lookup tables to use (null: '
'all lookup tables); with_columns: true to append the columns that every row has (value, aliases, language, domain, '
'active); maximum: maximum number of results (1 to 100); skip: number of results to skip. Returns for each property '
'its name, and the lookup tables whose rows have this property. Raises QM404 unsupported_table, QM422 '
'argument_invalid.';
alter function api.suggest_lookup_properties owner to qm_reader;
grant execute on function api.suggest_lookup_properties to qm_user;
