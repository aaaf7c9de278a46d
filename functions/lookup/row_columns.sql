-- lookup.row_columns: what every row of a lookup table has beside its properties, as extending data names it.
create or replace function lookup.row_columns()
returns text[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array['value', 'aliases', 'language', 'domain', 'active'];
$function$;
comment on function lookup.row_columns() is 'Names that api.extend_lookup_rows takes beside those of properties; a property of the same name wins.';
grant execute on function lookup.row_columns to qm_user;
