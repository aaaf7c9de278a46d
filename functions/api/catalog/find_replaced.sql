create or replace function api.find_replaced(name text, command text[] default '{}')
returns table (origin text, is_starter boolean)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    select o.name, o.is_starter
    from catalog.origin as o
    where o.status <> 'removed'
        and (o.name = find_replaced.name or o.id = any(catalog.starters_like(find_replaced.command)))
    order by o.name;
end
$function$;
comment on function api.find_replaced(text, text[]) is
'Finds the origins that api.add_origin would replace. Arguments: name: name of the new origin; command: program with '
'its arguments (only for stdio). Returns the names of these origins (origin), and whether each is a starter '
'(is_starter): a server that was added by Quartermaster itself.';
grant execute on function api.find_replaced to qm_operator;
