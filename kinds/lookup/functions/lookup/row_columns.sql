-- lookup.row_columns: the names are those of the data extension of the reconciliation API.
create or replace function lookup.row_columns()
returns text[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array['value', 'aliases', 'language', 'domain', 'active'];
$function$;
comment on function lookup.row_columns() is
'Returns the names of the columns that api.extend_lookup_rows can return in addition to properties. If a property has '
'the same name as a column, api.extend_lookup_rows returns the property.';
grant execute on function lookup.row_columns to qm_reader;
