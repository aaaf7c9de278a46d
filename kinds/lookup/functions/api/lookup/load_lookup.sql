-- api.load_lookup: the audit chain records only the number of rows. If the argument "replaces" is true, an incomplete
-- file, or the file of another table, would remove most rows. Therefore, more than a tenth of the rows are removed only
-- if the argument "may_remove" is true.
-- Writes: lookup.*, cards.
create or replace function api.load_lookup(
    lookup text, rows jsonb, replaces boolean default true, may_remove boolean default false
)
returns table (added integer, changed integer, unchanged integer, removed integer)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(load_lookup.lookup);
    v_before integer;
begin
    if exists (select from lookup.source as s where s.table_id = v_table_id) then
        perform core.fail('lookup_in_place', format('the rows of %s come from another table', load_lookup.lookup));
    end if;
    select p.added, p.changed, p.unchanged, p.removed
    into added, changed, unchanged, removed
    from lookup.put_rows(v_table_id, load_lookup.rows, load_lookup.replaces) as p;
    v_before := changed + unchanged + removed;
    if 10 * removed > v_before and not load_lookup.may_remove then
        perform core.fail(
            'lookup_removes_many',
            format(
                '%s of the %s rows of %s are not among the given rows and would be removed',
                removed,
                v_before,
                load_lookup.lookup
            )
        );
    end if;
    return next;
end
$function$;
comment on function api.load_lookup(text, jsonb, boolean, boolean) is
'Loads rows into a lookup table. If one row cannot be loaded, no row is loaded. Arguments: lookup: name of the lookup '
'table; rows: JSON array of {id, value, aliases, language, active, domain, provenance, properties, line}; replaces: '
'true to remove rows of the table that are missing from the argument rows; may_remove: true to allow the removal of '
'more than a tenth of the rows. Returns how many rows were added, changed, unchanged and removed. Raises QM404 '
'unsupported_table, QM409 lookup_in_place, lookup_removes_many, QM422 lookup_rows_invalid.';
grant execute on function api.load_lookup to qm_operator;
