create or replace function catalog.starters_like(p_command text[])
returns bigint[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array(
        select s.id
        from catalog.origin as s
        where s.is_starter and s.status <> 'removed' and catalog.package_of(s.command) = catalog.package_of(p_command)
        order by s.id
    );
$function$;
comment on function catalog.starters_like(text[]) is
'Finds the starters (servers that the service adds by itself) that run the same server as a command. Argument '
'p_command: a program with its arguments. Returns the ids of the starters that have not been removed.';
