-- api.retire_row: afterwards, only searches that include inactive rows find the row.
-- Writes: lookup.curation, lookup.*, cards.
create or replace function api.retire_row(lookup text, row_id text, reason text default '')
returns table (id text, value text, aliases text[], active boolean, provenance jsonb)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_row constant lookup.lookup_row := lookup.require_row(retire_row.lookup, retire_row.row_id);
begin
    perform from lookup.curation as c where c.table_id = v_row.table_id and c.key = v_row.key and c.kind = 'retirement';
    if found then
        perform core.fail('row_retired', format('the row %s is already retired', v_row.key));
    end if;
    perform lookup.note_curation(v_row.table_id, v_row.key, 'retirement', '', '{}', retire_row.reason);
    return query select c.* from lookup.curate_row(v_row.table_id, v_row.key) as c;
end
$function$;
comment on function api.retire_row(text, text, text) is
'Takes a row in a lookup table out of use. The row stays out of use when the table is loaded again. Arguments: lookup: '
'name of the lookup table; row_id: id of the row; reason: reason for the change. Returns the retired row. Raises QM403 '
'curator_required, QM404 unsupported_table, lookup_row_not_found, QM409 row_retired.';
grant execute on function api.retire_row to qm_user;
