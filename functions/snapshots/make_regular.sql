-- snapshots.make_regular: three snapshots are never deleted: the snapshot that was activated last, the snapshot that
-- undoes this activation, and the newest sealed (signed) snapshot. The service seals the new snapshot
-- (workers/snapshots.py).
-- Writes: snapshots.*.
create or replace function snapshots.make_regular()
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_keep constant integer := (core.get_setting('snapshots.keep'))::integer;
    v_name constant text := 'regular-' || to_char(core.now() at time zone 'UTC', 'YYYYMMDD-HH24MISSMS');
    v_is_same boolean;
    v_id bigint;
    v_forgotten integer;
begin
    select
        s.content_hash = snapshots.members_hash()
            and s.rule_version_id = (select v.id from policy.rule_version as v where v.is_active)
    into v_is_same
    from snapshots.snapshot as s
    where s.is_regular
    order by s.created_at desc, s.id desc
    limit 1;
    if v_is_same is not true then
        v_id := snapshots.put_snapshot(v_name, 'taken by the job snapshot', policy.require_principal());
        update snapshots.snapshot as s set is_regular = true where s.id = v_id;
    end if;

    with newest as (
        select s.id
        from snapshots.snapshot as s
        where s.is_regular
        order by s.created_at desc, s.id desc
        limit greatest(v_keep, 1)
    ),

    needed as (
        select n.id
        from newest as n
        union all
        (
            select s.id
            from snapshots.snapshot as s
            where s.signature is not null
            order by s.created_at desc, s.id desc
            limit 1
        )
        union all
        select u.id
        from (select a.snapshot_id, a.undo_id from snapshots.activation as a order by a.id desc limit 1) as l
        cross join unnest(array[l.snapshot_id, l.undo_id]) as u (id)
    ),

    forgotten as (
        delete from snapshots.snapshot as s
        where s.is_regular and s.id not in (select n.id from needed as n)
        returning s.id
    )

    select count(*)
    into v_forgotten
    from forgotten as f;
    return jsonb_build_object('made', case when v_is_same is not true then v_name end, 'forgotten', v_forgotten);
end
$function$;
comment on function snapshots.make_regular() is
'Takes a snapshot if the catalog or the rules have changed since the last regular snapshot. Then deletes the oldest '
'regular snapshots. The setting snapshots.keep says how many are kept. Returns JSON {made, forgotten}: the name of the '
'new snapshot (null: nothing has changed), and the number of deleted snapshots.';
