-- Writes: lookup.curation, lookup.*, cards.
create or replace function api.attach_provenance(lookup text, row_id text, members jsonb, reason text default '')
returns table (id text, value text, aliases text[], active boolean, provenance jsonb)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_row constant lookup.lookup_row := lookup.require_row(attach_provenance.lookup, attach_provenance.row_id);
    v_attached jsonb;
begin
    if jsonb_typeof(attach_provenance.members) is distinct from 'object'
        or attach_provenance.members = '{}'
        or length(attach_provenance.members::text) > 10000
    then
        perform core.fail(
            'argument_invalid',
            'the provenance must be a JSON object with at least 1 member and at most 10,000 characters',
            null,
            'Write {"source": "Flora Europaea", "url": "https://..."}.'
        );
    end if;
    select jsonb_strip_nulls(
        coalesce(max(c.provenance::text collate core.c_utf8)::jsonb, '{}') || attach_provenance.members
    )
    into v_attached
    from lookup.curation as c
    where c.table_id = v_row.table_id and c.key = v_row.key and c.kind = 'provenance';
    if v_attached = '{}' then
        delete from lookup.curation as c
        where c.table_id = v_row.table_id and c.key = v_row.key and c.kind = 'provenance';
    else
        perform lookup.note_curation(v_row.table_id, v_row.key, 'provenance', '', v_attached, attach_provenance.reason);
    end if;
    return query select c.* from lookup.curate_row(v_row.table_id, v_row.key) as c;
end
$function$;
comment on function api.attach_provenance(text, text, jsonb, text) is
'Adds provenance (where the data came from) to a row in a lookup table. The added provenance takes precedence over the '
'provenance in the source of the table. Arguments: lookup: name of the lookup table; row_id: id of the row; members: '
'JSON object whose members are added to the members that were added earlier (a member that is null removes the earlier '
'member); reason: reason for the change. Returns the changed row. Raises QM403 curator_required, QM404 '
'unsupported_table, lookup_row_not_found, QM422 argument_invalid.';
grant execute on function api.attach_provenance to qm_user;
