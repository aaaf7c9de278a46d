-- catalog.package_of: all instances of one server have the same package name, however they are started. The function
-- recognises uvx PACKAGE, npx -y PACKAGE@VERSION, python -m MODULE, node .../node_modules/PACKAGE/..., the path of a
-- program, and the docker image mcp/NAME. A reference server has another name in each registry (mcp-server-NAME,
-- @modelcontextprotocol/server-NAME, mcp/NAME); these names count as one.
create or replace function catalog.package_of(p_command text[])
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with program as (
        select lower(
            regexp_replace(regexp_replace(p_command[1], '^.*[/\\]', ''), '\.(exe|cmd|bat)$', '') collate core.c_utf8
        ) as name
    ),

    words as (
        select a.word, a.place, lag(a.word, 1, '') over (order by a.place) as before
        from unnest(p_command[2:]) with ordinality as a (word, place)
    ),

    started as (
        select case
            when p.name in ('docker', 'podman') then (
                select w.word
                from words as w
                where w.word ~ '^([^/@:]+(:[0-9]+)?/)?mcp/[a-z0-9._-]+(:[^/]+)?(@sha256:.*)?$'
                order by w.place
                limit 1
            )
            when p.name ~ '^(uvx?|pipx|npx|npm|pnpm|yarn|bunx?|node|deno|python[0-9.]*)$' then (
                select w.word
                from words as w
                where
                    w.before in ('--from', '--package', '--spec', '-m')
                    or (
                        w.word !~ '^-'
                        and w.word not in ('run', 'exec', 'dlx', 'x', 'tool')
                        and w.before not in (
                            '--python', '-p', '--with', '--directory', '--project', '--index', '--index-url',
                            '--registry', '-W', '-X'
                        )
                    )
                order by w.before in ('--from', '--package', '--spec', '-m') desc, w.place
                limit 1
            )
            else p_command[1]
        end as word
        from program as p
    ),

    package as (
        select case
            when s.word ~ '/node_modules/' then substring(s.word from '^.*/node_modules/((?:@[^/]+/)?[^/]+)')
            when s.word ~ '^@[^/]+/[^/]+$' then substring(s.word from '^@[^/]+/[^/@]+')
            when s.word ~ '(^|/)mcp/[^/]+$'
                then 'mcp/' || substring(s.word from '([^/:@]+)(?:[:@][^/]*)?$' collate core.c_utf8)
            else substring(regexp_replace(s.word, '^.*[/\\]', '') from '^[^@=<>~!\[ ]+')
        end as name
        from started as s
    )

    select translate(
        lower(regexp_replace(n.name, '^(@modelcontextprotocol/server-|mcp/)', 'mcp-server-') collate core.c_utf8),
        '-_.',
        ''
    )
    from package as n;
$function$;
comment on function catalog.package_of(text[]) is
'Names the package that a command starts. Argument p_command: a program with its arguments. Returns the name of the '
'package without separators, which is the same for every way in which the package is usually started.';
