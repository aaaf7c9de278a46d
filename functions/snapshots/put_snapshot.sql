-- snapshots.put_snapshot: keeps which version of which tool is offered now.
-- Raises: QM409 snapshot_exists, QM422 argument_invalid.  Writes: snapshots.snapshot, snapshots.member.
create or replace function snapshots.put_snapshot(p_name text, p_note text, p_principal_id bigint)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    if p_name is null or p_name !~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' then
        perform core.fail(
            'argument_invalid', format('%L is no name of a snapshot', left(coalesce(p_name, ''), 200)), null,
            'Take letters, digits, dots, dashes and underscores, at most 100.'
        );
    end if;
    if exists (select from snapshots.snapshot as s where s.name = p_name) then
        perform core.fail('snapshot_exists', format('there is a snapshot %L already', p_name));
    end if;
    insert into snapshots.snapshot (name, note, created_at, created_by, rule_version_id, origins, tools, content_hash, manifest)
    select p_name, coalesce(p_note, ''), core.now(), p_principal_id, v.id, 0, 0, sha256(''), ''
    from policy.rule_version as v
    where v.is_active
    returning id into strict v_id;

    insert into snapshots.member (snapshot_id, tool_id, version, definition_hash)
    select v_id, t.id, v.version, snapshots.definition_hash(v.definition)
    from catalog.tool as t
    inner join catalog.tool_version as v on v.tool_id = t.id and v.valid_to is null
    where t.is_live;

    update snapshots.snapshot as s
    set tools = c.tools, origins = c.origins, content_hash = snapshots.content_hash(v_id)
    from (
        select count(*) as tools, count(distinct t.origin_id) as origins
        from snapshots.member as m
        inner join catalog.tool as t on t.id = m.tool_id
        where m.snapshot_id = v_id
    ) as c
    where s.id = v_id;
    update snapshots.snapshot as s set manifest = snapshots.manifest(s) where s.id = v_id;
    return v_id;
end
$function$;
comment on function snapshots.put_snapshot(text, text, bigint) is 'Arguments: name, note, who makes it. Returns its id; it is not sealed yet.';
