create or replace function snapshots.manifest(
    p_name text,
    p_created_at timestamptz,
    p_rule_version integer,
    p_origins integer,
    p_items jsonb,
    p_content_hash bytea
)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'format', 2,
        'name', p_name,
        'created_at', to_char(p_created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'rule_version', p_rule_version,
        'origins', p_origins,
        'items', p_items,
        'content_hash', encode(p_content_hash, 'hex')
    )::text;
$function$;
comment on function snapshots.manifest(text, timestamptz, integer, integer, jsonb, bytea) is
'Describes a snapshot in the form that is signed. Arguments: p_name: name of the snapshot; p_created_at: time at which '
'the snapshot was taken; p_rule_version: version of the rules; p_origins: number of origins; p_items: number of items '
'of each kind; p_content_hash: content hash of the snapshot. Returns these values as JSON text, with the time in UTC '
'and the hash in hexadecimal.';
