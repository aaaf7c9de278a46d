-- Writes: lookup.*, cards.
create or replace function lookup.refresh(p_table_id integer, p_all boolean)
returns table (added integer, changed integer, unchanged integer, removed integer)
language plpgsql
volatile parallel unsafe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_keys text[];
    v_all boolean;
begin
    perform search.lock_kind('lookup');
    -- Read the list of changes before the rows. A row that changes in between is then put on the list again.
    with noted as (
        delete from lookup.source_change as c where c.table_id = p_table_id returning c.key
    )

    select coalesce(array_agg(distinct n.key), '{}'), p_all or coalesce(bool_or(n.key is null), false)
    into v_keys, v_all
    from noted as n;
    if v_all then
        v_keys := null;
    end if;
    return query
    select p.added, p.changed, p.unchanged, p.removed
    from lookup.put_rows(p_table_id, lookup.read_source(p_table_id, v_keys), true, v_keys) as p;
    update lookup.source as s set refreshed_at = core.now(), failure = null where s.table_id = p_table_id;
end
$function$;
comment on function lookup.refresh(integer, boolean) is
'Updates the rows of a lookup table from its source, the user''s own table. Arguments: p_table_id: id of the lookup '
'table; p_all: true to read all rows, false to read only rows that were reported as changed. Returns the numbers of '
'added, changed, unchanged and removed rows. Raises QM422 lookup_source_invalid, lookup_rows_invalid.';
