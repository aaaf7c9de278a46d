-- snapshots.manifest: what a snapshot says of itself, as it is signed.
create or replace function snapshots.manifest(p_snapshot snapshots.snapshot)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'format', 1,
        'name', p_snapshot.name,
        'created_at', to_char(p_snapshot.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'rule_version', p_snapshot.rule_version_id,
        'origins', p_snapshot.origins,
        'tools', p_snapshot.tools,
        'content_hash', encode(p_snapshot.content_hash, 'hex')
    )::text;
$function$;
comment on function snapshots.manifest(snapshots.snapshot) is 'JSON text with format, name, moment (UTC), version of the rules, counts, and content hash in hexadecimal.';
