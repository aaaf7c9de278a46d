-- catalog.server_of: two instances of one server have the same name, even if their options differ. The name consists of
-- the program and its first argument that is neither an option nor a verb of a launcher: npx -y PACKAGE, uvx PACKAGE,
-- python FILE, docker run IMAGE.
create or replace function catalog.server_of(p_command text[])
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select concat_ws(' ', p_command[1], min(a.argument collate core.c_utf8) filter (where a.place = a.first))
    from (
        select c.argument, c.place, min(c.place) over () as first
        from unnest(p_command[2:]) with ordinality as c (argument, place)
        where c.argument not like '-%' and c.argument not in ('run', 'exec', 'dlx', 'x', 'tool')
    ) as a;
$function$;
comment on function catalog.server_of(text[]) is
'Identifies the server that a command starts. The options of the command make no difference. Argument p_command: a '
'program with its arguments. Returns the same text for every command that starts the same server.';
