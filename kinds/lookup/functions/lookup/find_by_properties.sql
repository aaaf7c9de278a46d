-- Definer: with the row policy of lookup.lookup_row, PostgreSQL would not use the index, because the operator && is not
-- leakproof. Callers still get only rows that they may see, because the function checks policy.is_visible.
create or replace function lookup.find_by_properties(p_table_id integer, p_properties jsonb, p_limit integer)
returns table (row_id bigint, fitting bigint)
language plpgsql
stable parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    perform
    from search.card as c
    where c.kind = 'lookup_table'
        and c.ref = p_table_id
        and policy.is_visible(c.rights_class, (select policy.visible_classes()));
    if not found then
        return;
    end if;
    return query
    select r.id, count(*) over ()
    from lookup.lookup_row as r
    inner join lookup.lookup_name as n on n.row_id = r.id and not n.is_alias
    inner join search.card as c on c.kind = 'lookup' and c.ref = n.id
    where r.table_id = p_table_id
        and r.active
        and r.facts && lookup.facts(p_properties)
        and not exists (
            select from jsonb_each(p_properties) as p
            where not r.facts && lookup.facts(jsonb_build_object(p.key, p.value))
        )
        and policy.is_visible(c.rights_class, (select policy.visible_classes()))
    order by r.id
    limit p_limit;
end
$function$;
comment on function lookup.find_by_properties(integer, jsonb, integer) is
'Finds the rows of a table that have all requested properties, each with one of the requested values. The names of the '
'rows do not matter. Arguments: p_table_id: id of the lookup table; p_properties: JSON object with a value, or an '
'array of values, for each requested property; p_limit: maximum number of rows to return. Returns active rows, and the '
'total number of active rows with these properties.';
grant execute on function lookup.find_by_properties to qm_reader;
