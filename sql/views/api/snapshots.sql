create or replace view api.snapshots with (security_invoker = true) as
select
    s.name,
    s.created_at,
    s.origins,
    s.items,
    s.rule_version,
    s.activated_at,
    s.created_by,
    s.is_regular,
    s.signature is not null as is_signed,
    s.artifact_bytes,
    s.artifact,
    s.artifact_url,
    s.content_hash,
    s.note
from api.list_snapshots() as s;
comment on view api.snapshots is
'Stored states of the catalog and the rules, the newest first. Example: `select name, created_at, items from '
'snapshots;`';
comment on column api.snapshots.name is 'The name of the snapshot.';
comment on column api.snapshots.created_at is 'The time when it was taken.';
comment on column api.snapshots.origins is 'How many origins it contains.';
comment on column api.snapshots.items is 'How many items of each kind it contains: {kind: number}.';
comment on column api.snapshots.rule_version is 'The version of the rules in it.';
comment on column api.snapshots.activated_at is 'The time when it was last activated; null if never.';
comment on column api.snapshots.created_by is 'Who took it; null if you may not know.';
comment on column api.snapshots.is_regular is 'Whether the job "snapshot" took it.';
comment on column api.snapshots.is_signed is 'Whether it is signed.';
comment on column api.snapshots.artifact_bytes is 'The size of its file, in bytes; null if it has none.';
comment on column api.snapshots.artifact is 'The file that contains it; null if it has none.';
comment on column api.snapshots.artifact_url is 'The URL of a copy of the file; null if there is none.';
comment on column api.snapshots.content_hash is 'The hash of the content, in hexadecimal.';
comment on column api.snapshots.note is 'What the person who took it has written.';
grant select on api.snapshots to qm_admin;
