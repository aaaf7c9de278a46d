-- Writes: lookup.curation, lookup.*, cards.
create or replace function api.restore_row(lookup text, row_id text)
returns table (id text, value text, aliases text[], active boolean, provenance jsonb)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_row constant lookup.lookup_row := lookup.require_row(restore_row.lookup, restore_row.row_id);
begin
    delete from lookup.curation as c where c.table_id = v_row.table_id and c.key = v_row.key and c.kind = 'retirement';
    if not found then
        perform core.fail('row_not_retired', format('no curator has retired the row %s', v_row.key));
    end if;
    return query select c.* from lookup.curate_row(v_row.table_id, v_row.key) as c;
end
$function$;
comment on function api.restore_row(text, text) is
'Brings back a row that a curator retired. Arguments: lookup: name of the lookup table; row_id: id of the row. Returns '
'the restored row. If the source of the table marks the row as inactive, the row stays inactive. Raises QM403 '
'curator_required, QM404 unsupported_table, lookup_row_not_found, QM409 row_not_retired.';
grant execute on function api.restore_row to qm_user;
