create or replace function lookup.visible_tables(p_name text)
returns integer[]
language plpgsql
stable parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_name is not null then
        return array[lookup.require_table(p_name)];
    end if;
    perform policy.require_principal();
    return array(select t.id from lookup.lookup_table as t order by t.name);
end
$function$;
comment on function lookup.visible_tables(text) is
'Finds the lookup tables that the caller may see. Argument p_name: name of one lookup table (null: all lookup tables). '
'Returns the ids of the tables. Raises QM404 unsupported_table.';
grant execute on function lookup.visible_tables to qm_reader;
