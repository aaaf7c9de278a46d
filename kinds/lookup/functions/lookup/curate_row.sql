-- Writes: lookup.lookup_row, lookup.lookup_name, lookup.lookup_table, cards.
create or replace function lookup.curate_row(p_table_id integer, p_key text)
returns table (id text, value text, aliases text[], active boolean, provenance jsonb)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_row jsonb;
    v_loaded_at timestamptz;
begin
    select t.loaded_at into v_loaded_at from lookup.lookup_table as t where t.id = p_table_id;
    select
        jsonb_build_object(
            'id', r.key,
            'value', r.value,
            'aliases', r.aliases,
            'language', r.language,
            'active', r.active,
            'domain', r.domain,
            'provenance', r.provenance,
            'properties', r.properties
        ) || coalesce(r.given, '{}')
    into v_row
    from lookup.lookup_row as r
    where r.table_id = p_table_id and r.key = p_key;
    perform lookup.put_rows(p_table_id, jsonb_build_array(v_row), false);
    update lookup.lookup_table as t set loaded_at = v_loaded_at where t.id = p_table_id;
    return query
    select r.key, r.value, r.aliases, r.active, r.provenance
    from lookup.lookup_row as r
    where r.table_id = p_table_id and r.key = p_key;
end
$function$;
comment on function lookup.curate_row(integer, text) is
'Applies the changes of curators to a row from the source, and stores the changed row. Call this function after a '
'change to lookup.curation. Arguments: p_table_id: id of the lookup table; p_key: id of the row. Returns the updated '
'row.';
