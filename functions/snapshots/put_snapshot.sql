-- Writes: snapshots.snapshot, snapshots.member.
create or replace function snapshots.put_snapshot(p_name text, p_note text, p_principal_id bigint)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_rules constant integer := (select v.id from policy.rule_version as v where v.is_active);
    v_items jsonb;
    v_origins integer;
    v_hash constant bytea := snapshots.members_hash();
    v_id bigint;
begin
    if p_name is null or p_name !~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' then
        perform core.fail(
            'argument_invalid',
            format('%L is not a valid snapshot name', left(coalesce(p_name, ''), 200)),
            null,
            'Use at most 100 letters, digits, dots, dashes and underscores.'
        );
    end if;
    if exists (select from snapshots.snapshot as s where s.name = p_name) then
        perform core.fail('snapshot_exists', format('a snapshot called %L already exists', p_name));
    end if;

    select core.tally(array_agg(o.kind)), count(distinct o.origin_id)
    into v_items, v_origins
    from snapshots.members() as o;
    insert into snapshots.snapshot (
        name, note, created_at, created_by, rule_version_id, origins, items, content_hash, manifest
    )
    values (
        p_name, coalesce(p_note, ''), v_now, p_principal_id, v_rules, v_origins, v_items, v_hash,
        snapshots.manifest(p_name, v_now, v_rules, v_origins, v_items, v_hash)
    )
    returning id into v_id;
    insert into snapshots.member (snapshot_id, item_id, version, definition_hash)
    select v_id, o.id, o.version, o.definition_hash
    from snapshots.members() as o;
    return v_id;
end
$function$;
comment on function snapshots.put_snapshot(text, text, bigint) is
'Takes a snapshot: records which items, and which versions of these items, are offered now. Arguments: p_name: name of '
'the snapshot; p_note: note about the snapshot; p_principal_id: id of the principal who takes the snapshot. Returns '
'the id of the snapshot. The snapshot has no signature yet. Raises QM409 snapshot_exists, QM422 argument_invalid.';
