-- Writes: lookup.curation, lookup.*, cards.
create or replace function api.remove_alias(lookup text, row_id text, alias text)
returns table (id text, value text, aliases text[], active boolean, provenance jsonb)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_row constant lookup.lookup_row := lookup.require_row(remove_alias.lookup, remove_alias.row_id);
begin
    delete from lookup.curation as c
    where c.table_id = v_row.table_id and c.key = v_row.key and c.kind = 'alias' and c.alias = remove_alias.alias;
    if not found then
        perform core.fail(
            'alias_not_curated',
            format('no curator added the name %2$L to the row %1$s', v_row.key, left(remove_alias.alias, 100))
        );
    end if;
    return query select c.* from lookup.curate_row(v_row.table_id, v_row.key) as c;
end
$function$;
comment on function api.remove_alias(text, text, text) is
'Removes a name that a curator added to a row of a lookup table. Arguments: lookup: name of the lookup table; row_id: '
'id of the row; alias: the name to remove, as list_curations returns it. Returns the changed row. Raises QM403 '
'curator_required, QM404 unsupported_table, lookup_row_not_found, alias_not_curated.';
grant execute on function api.remove_alias to qm_user;
