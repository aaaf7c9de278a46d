-- api.activate_snapshot: the function first takes a snapshot of the present catalog, with which the change can be
-- undone. Definitions that differ become new versions; items that are not in the snapshot are deprecated. Items that
-- were quarantined after the snapshot stay in quarantine, except for those that the caller names. Each change of status
-- is recorded in the audit chain. Repairs become what they were when the snapshot was taken.
-- Writes: snapshots.*, catalog.repair, catalog.item, catalog.item_version, catalog.finding, cards.
create or replace function api.activate_snapshot(name text, dry_run boolean default false, lift text[] default '{}')
returns table (restored bigint, returned bigint, withdrawn bigint, unavailable bigint, undo text, quarantined text[])
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_id constant bigint := snapshots.require_snapshot(activate_snapshot.name);
    v_reason constant text := format('the snapshot %s', activate_snapshot.name);
    v_faulty text;
    v_back bigint[];
    v_surplus bigint[];
    v_undo_id bigint;
    v_kept bigint[];
begin
    select string_agg(f.name, ', ') into v_faulty from snapshots.faults(v_id) as f;
    if v_faulty is not null then
        perform core.fail(
            'snapshot_damaged',
            format('the snapshot %L is damaged or was changed', activate_snapshot.name),
            left(v_faulty, 500)
        );
    end if;

    select coalesce(array_agg(i.id), '{}'), coalesce(array_agg(i.public_name order by i.public_name), '{}')
    into v_kept, quarantined
    from snapshots.differences(v_id) as d
    inner join catalog.item as i on i.id = d.id
    where d.change <> 'added' and i.status = 'quarantined' and i.public_name <> all(activate_snapshot.lift);

    select
        count(*) filter (where d.change = 'changed'),
        count(*) filter (where d.change = 'removed' and o.status <> 'removed'),
        count(*) filter (where d.change = 'added'),
        count(*) filter (where d.change = 'removed' and o.status = 'removed'),
        array_agg(d.id) filter (where d.change <> 'added' and o.status <> 'removed'),
        array_agg(d.id) filter (where d.change = 'added')
    into restored, returned, withdrawn, unavailable, v_back, v_surplus
    from snapshots.differences(v_id) as d
    inner join catalog.origin as o on o.id = d.origin_id
    where d.id <> all(v_kept);
    if activate_snapshot.dry_run then
        return next;
        return;
    end if;

    undo := format(
        'before-%s',
        (
            select coalesce(max(substring(s.name from '^before-([0-9]{1,15})$')::bigint), 0) + 1
            from snapshots.snapshot as s
        )
    );
    v_undo_id := snapshots.put_snapshot(
        undo, format('the catalog before the activation of %s', v_reason), v_principal_id
    );
    perform catalog.restore_repairs(
        (select s.created_at from snapshots.snapshot as s where s.id = v_id), v_reason, v_principal_id
    );
    perform catalog.put_items(g.kind, g.origins, g.definitions)
    from (
        select
            i.kind,
            array_agg(o.name order by i.id) as origins,
            array_agg(coalesce(v.definition #> '{repair,listed}', v.definition) order by i.id) as definitions
        from snapshots.member as m
        inner join catalog.item as i on i.id = m.item_id
        inner join catalog.origin as o on o.id = i.origin_id
        inner join catalog.item_version as v on v.item_id = m.item_id and v.version = m.version
        where m.snapshot_id = v_id and m.item_id = any(v_back)
        group by i.kind
    ) as g;
    perform catalog.decide_items(
        array(select i.id from catalog.item as i where i.id = any(v_back) and not i.is_live),
        'approved',
        v_reason,
        v_principal_id
    );
    perform catalog.decide_items(v_surplus, 'deprecated', format('the item is not in %s', v_reason), v_principal_id);
    insert into snapshots.activation (snapshot_id, undo_id, activated_at, activated_by)
    values (v_id, v_undo_id, core.now(), v_principal_id);
    perform pg_notify('qm_catalog', '');
    return next;
end
$function$;
comment on function api.activate_snapshot(text, boolean, text[]) is
'Restores the catalog to a snapshot, for all principals at the same time. Arguments: name: name of the snapshot; '
'dry_run: true to preview the change without making it; lift: public names of quarantined items whose quarantine ends. '
'Returns: the number of restored definitions; the number of items that are offered again; the number of items that are '
'withdrawn; the number of items that remain unavailable because the origin of these items was removed; the name of the '
'snapshot that undoes the change; and the names of the items that stay in quarantine. Raises QM404 snapshot_not_found, '
'QM409 snapshot_damaged. Can be null: undo.';
grant execute on function api.activate_snapshot to qm_admin;
