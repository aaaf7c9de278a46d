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
'Tells whether the service must not add a starter by itself, because the user has removed or replaced it, or already '
'has the same server. Arguments: p_name: name of the starter; p_command: its program with its arguments.';
