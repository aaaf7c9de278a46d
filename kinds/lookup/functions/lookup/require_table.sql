-- Definer: every query calls this function. With the caller's rights, the row policies of its two tables would each
-- compute these rights again. Callers still find only tables that they may see, because the function checks
-- policy.is_visible.
create or replace function lookup.require_table(p_name text)
returns integer
language plpgsql
stable parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id integer;
    v_nearest text;
begin
    perform policy.require_principal();
    select t.id
    into v_id
    from lookup.lookup_table as t
    inner join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
    where t.name = p_name and policy.is_visible(c.rights_class, (select policy.visible_classes()));
    if v_id is not null then
        return v_id;
    end if;
    select string_agg(n.name, ', ' order by n.distance, n.name)
    into v_nearest
    from (
        select t.name, 1 - ext.similarity(t.name, left(p_name, 100)) as distance
        from lookup.lookup_table as t
        inner join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
        where policy.is_visible(c.rights_class, (select policy.visible_classes()))
        order by 2, 1
        limit 3
    ) as n;
    perform core.fail(
        'unsupported_table',
        format('there is no lookup table called %L', left(p_name, 100)),
        null,
        case
            when v_nearest is not null
                then format('The nearest names are: %s. lookup_tables lists all lookup tables.', v_nearest)
        end
    );
    return null;
end
$function$;
comment on function lookup.require_table(text) is
'Finds a lookup table that the caller may see. Argument p_name: name of the lookup table. Returns the id of the table. '
'Raises QM404 unsupported_table if there is no such table, with the nearest names of tables that the caller may see.';
grant execute on function lookup.require_table to qm_reader;
