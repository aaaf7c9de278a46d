-- snapshots.manifest: what a snapshot says of itself, as it is signed.
create or replace function snapshots.manifest(
    p_name text, p_created_at timestamptz, p_rule_version integer, p_origins integer, p_tools integer, p_content_hash bytea, p_assets integer
)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (jsonb_build_object(
        'format', 1,
        'name', p_name,
        'created_at', to_char(p_created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'rule_version', p_rule_version,
        'origins', p_origins,
        'tools', p_tools,
        'content_hash', encode(p_content_hash, 'hex')
    )
    || case when p_assets is null then '{}' else jsonb_build_object('assets', p_assets) end)::text;
$function$;
comment on function snapshots.manifest(text, timestamptz, integer, integer, integer, bytea, integer) is
'Arguments: name, moment, version of the rules, how many origins and tools, content hash, how many resources, templates and prompts (null where none were kept). Returns them as JSON text, the moment in UTC, the hash in hexadecimal.';
