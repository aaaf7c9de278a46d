-- lookup.require_row: security definer functions call this function. No row policy restricts them, so it checks the
-- rights of the caller itself.
create or replace function lookup.require_row(p_table text, p_key text)
returns lookup.lookup_row
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id integer;
    v_row lookup.lookup_row;
begin
    perform policy.require_curator();
    v_table_id := lookup.require_table(p_table);
    perform search.lock_kind('lookup');
    select r.*
    into v_row
    from lookup.lookup_row as r
    inner join lookup.lookup_name as n on n.row_id = r.id and not n.is_alias
    inner join search.card as c on c.kind = 'lookup' and c.ref = n.id
    where r.table_id = v_table_id
        and r.key = p_key
        and policy.is_visible(c.rights_class, (select policy.visible_classes()));
    if not found then
        perform core.fail(
            'lookup_row_not_found', format('the lookup table %s has no row with the id %L', p_table, left(p_key, 100))
        );
    end if;
    return v_row;
end
$function$;
comment on function lookup.require_row(text, text) is
'Finds and locks a row of a lookup table that the caller may see. Raises an error if the caller is not a curator of '
'lookup tables. Arguments: p_table: name of the lookup table; p_key: id of the row. Returns the row. The errors are '
'QM403 curator_required, QM404 unsupported_table, lookup_row_not_found.';
