-- catalog.check_sandbox: only an administrator decides about folders and networks. A program can read every folder in
-- its sandbox, and can use the machine's network to reach other services of the machine. A sandbox that is already
-- stored stays allowed while the program stays the same, so an operator can change the description.
create or replace function catalog.check_sandbox(
    p_name text, p_transport text, p_command text[], p_cwd text, p_sandbox jsonb
)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_sandbox constant jsonb := coalesce(p_sandbox, '{}');
    v_folders constant jsonb := coalesce(v_sandbox -> 'folders', '[]');
begin
    if v_sandbox = '{}' then
        return;
    end if;
    if p_transport <> 'stdio' then
        perform core.fail(
            'origin_invalid', format('origin %L does not run on this machine, so it has no sandbox', p_name)
        );
    end if;
    if jsonb_typeof(v_sandbox) <> 'object'
        or v_sandbox - '{folders,network}'::text[] <> '{}'
        or coalesce(v_sandbox ->> 'network', 'internet') not in ('internet', 'none', 'host')
        or jsonb_typeof(v_folders) <> 'array' then
        perform core.fail(
            'origin_invalid',
            format('the sandbox of origin %L is not valid', p_name),
            null,
            'Give {"folders": [{"path": "/a/folder", "write": false}], "network": "none"}; network is "internet", '
            '"none" or "host".'
        );
    end if;
    perform from jsonb_array_elements(v_folders) as f (folder)
    where jsonb_typeof(f.folder) <> 'object'
        or f.folder - '{path,write}'::text[] <> '{}'
        or coalesce(f.folder ->> 'path', '') !~ '^/[^/]'
        or f.folder ->> 'path' ~ '(^|/)\.\.?(/|$)'
        or jsonb_typeof(coalesce(f.folder -> 'write', 'false')) <> 'boolean';
    if found then
        perform core.fail(
            'origin_invalid',
            format('a folder of origin %L is not valid', p_name),
            null,
            'Give each folder as an absolute path other than /, in which no folder is named . or ..'
        );
    end if;
    if policy.has_role('admin') or (v_folders = '[]' and v_sandbox ->> 'network' is distinct from 'host') then
        return;
    end if;
    perform from catalog.origin as o
    where o.name = p_name
        and o.status <> 'removed'
        and o.transport = p_transport
        and o.command = p_command
        and o.cwd is not distinct from p_cwd and o.sandbox = v_sandbox;
    if not found then
        perform core.fail(
            'not_allowed',
            format('only an administrator may grant folders or the network of this machine to origin %L', p_name),
            null,
            'An administrator can grant them with: qm origin sandbox.'
        );
    end if;
end
$function$;
comment on function catalog.check_sandbox(text, text, text[], text, jsonb) is
'Raises an error if a sandbox is invalid, or if only an administrator may define this sandbox and the caller is not an '
'administrator. Arguments: p_name: name of the origin; p_transport: transport of the origin; p_command: program with '
'its arguments; p_cwd: working directory of the program; p_sandbox: the sandbox, as in api.add_origin. The errors are '
'QM403 not_allowed, QM422 origin_invalid.';
