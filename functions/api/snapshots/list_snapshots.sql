create or replace function api.list_snapshots()
returns table (
    name text,
    note text,
    created_at timestamptz,
    created_by text,
    items jsonb,
    origins integer,
    rule_version integer,
    content_hash text,
    manifest text,
    public_key bytea,
    signature bytea,
    artifact text,
    artifact_hash bytea,
    artifact_bytes bigint,
    activated_at timestamptz,
    is_regular boolean,
    artifact_url text
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        s.name,
        s.note,
        s.created_at,
        p.name,
        s.items,
        s.origins,
        s.rule_version_id,
        encode(s.content_hash, 'hex'),
        s.manifest,
        s.public_key,
        s.signature,
        s.artifact,
        s.artifact_hash,
        s.artifact_bytes,
        (select max(a.activated_at) from snapshots.activation as a where a.snapshot_id = s.id),
        s.is_regular,
        s.artifact_url
    from snapshots.snapshot as s
    left join policy.principal as p on p.id = s.created_by
    order by s.created_at desc, s.id desc;
$function$;
comment on function api.list_snapshots() is
'Lists the snapshots. Returns for each snapshot: the name and the note; when and by whom the snapshot was taken; the '
'number of items by kind; the number of origins; the version of the rules; the content hash and the manifest; the '
'signature (seal) and the file (artifact), both null if the snapshot is not signed; when the snapshot was last '
'activated; whether the job "snapshot" took the snapshot; and the URL of a copy of the artifact. Can be null: '
'public_key, signature, artifact, artifact_hash, artifact_bytes, activated_at, artifact_url, created_by.';
alter function api.list_snapshots owner to qm_reader;
grant execute on function api.list_snapshots to qm_admin;
