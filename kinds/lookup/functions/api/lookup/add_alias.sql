-- Writes: lookup.curation, lookup.*, cards.
create or replace function api.add_alias(lookup text, row_id text, alias text, reason text default '')
returns table (id text, value text, aliases text[], active boolean, provenance jsonb, shared_with text[])
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_alias constant text := btrim(regexp_replace(add_alias.alias, '\s+' collate core.c_utf8, ' ', 'g'));
    v_row constant lookup.lookup_row := lookup.require_row(add_alias.lookup, add_alias.row_id);
begin
    if coalesce(v_alias, '') = '' or length(v_alias) > 500 then
        perform core.fail(
            'argument_invalid',
            'the alias must be 1 to 500 characters long',
            null,
            'Send the name by which people should find the row.'
        );
    end if;
    if v_alias = v_row.value or v_alias = any(v_row.aliases) then
        perform core.fail('alias_exists', format('the row %s already has the name %L', add_alias.row_id, v_alias));
    end if;
    perform lookup.note_curation(v_row.table_id, v_row.key, 'alias', v_alias, '{}', add_alias.reason);
    return query
    select c.id, c.value, c.aliases, c.active, c.provenance, lookup.same_name(v_row.table_id, v_row.key, v_alias)
    from lookup.curate_row(v_row.table_id, v_row.key) as c;
end
$function$;
comment on function api.add_alias(text, text, text, text) is
'Adds another name (an alias) to a row in a lookup table. The alias stays when the table is loaded again. Arguments: '
'lookup: name of the lookup table; row_id: id of the row; alias: the alias; reason: reason for the change. Returns the '
'changed row, and the ids of other rows with the same name. If other rows have the same name, a query for this name '
'has no match. Raises QM403 curator_required, QM404 unsupported_table, lookup_row_not_found, QM409 alias_exists, QM422 '
'argument_invalid.';
grant execute on function api.add_alias to qm_user;
