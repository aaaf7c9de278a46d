-- Writes: lookup.*, cards.
create or replace function api.refresh_lookup(lookup text, changed_only boolean default false)
returns table (added integer, changed integer, unchanged integer, removed integer)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(refresh_lookup.lookup);
begin
    if not exists (select from lookup.source as s where s.table_id = v_table_id) then
        perform core.fail(
            'lookup_not_in_place', format('the lookup table %s does not read from another table', refresh_lookup.lookup)
        );
    end if;
    return query
    select r.added, r.changed, r.unchanged, r.removed
    from lookup.refresh(v_table_id, not refresh_lookup.changed_only) as r;
end
$function$;
comment on function api.refresh_lookup(text, boolean) is
'Updates the rows of a lookup table from the user''s own table. Arguments: lookup: name of the lookup table; '
'changed_only: true to read only rows that triggers have reported as changed. Returns how many rows were added, '
'changed, unchanged and removed. Raises QM404 unsupported_table, QM409 lookup_not_in_place, QM422 '
'lookup_source_invalid, lookup_rows_invalid.';
grant execute on function api.refresh_lookup to qm_operator;
