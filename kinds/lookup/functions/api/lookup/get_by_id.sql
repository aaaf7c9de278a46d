create or replace function api.get_by_id(lookup text, row_id text)
returns table (
    id text, value text, aliases text[], language text, active boolean, domain text, properties jsonb, provenance jsonb,
    created_at timestamptz, updated_at timestamptz
)
language plpgsql
stable parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(get_by_id.lookup);
begin
    return query
    select
        r.key, r.value, r.aliases, r.language, r.active, r.domain, r.properties, r.provenance, r.created_at,
        r.updated_at
    from lookup.lookup_row as r
    where r.table_id = v_table_id and r.key = get_by_id.row_id;
    if not found then
        perform core.fail(
            'lookup_row_not_found',
            format('the lookup table %s has no row with the id %L', get_by_id.lookup, left(get_by_id.row_id, 100))
        );
    end if;
end
$function$;
comment on function api.get_by_id(text, text) is
'Reads one row of a lookup table. Arguments: lookup: name of the lookup table; row_id: id of the row. Returns the id, '
'value, aliases, language, domain, properties and provenance of the row; whether the row is active; and when the row '
'was created and last changed. Raises QM404 unsupported_table, lookup_row_not_found.';
alter function api.get_by_id owner to qm_reader;
grant execute on function api.get_by_id to qm_user;
