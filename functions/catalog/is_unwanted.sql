create or replace function catalog.is_unwanted(p_name text, p_command text[])
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        (select not o.is_starter or o.status = 'removed' from catalog.origin as o where o.name = p_name),
        exists (
            select
            from catalog.origin as o
            where not o.is_starter
                and o.status <> 'removed'
                and o.transport = 'stdio'
                and catalog.package_of(o.command) = catalog.package_of(p_command)
        )
    );
$function$;
comment on function catalog.is_unwanted(text, text[]) is
'Returns true if the user has removed or replaced a starter, or already has the same server. The service then does not '
'add the starter (a server that the service adds by itself). Arguments: p_name: name of the starter; p_command: the '
'program of the starter with its arguments.';
