-- api.activate_snapshot: takes the catalog back to a snapshot, for everybody at once. A snapshot of what was offered before undoes it.
-- Its definitions come forward as new versions where they differ; what it has not is deprecated. What is of removed origins stays away.
-- Definer because the catalog is written by its own functions only; executable by administrators.
-- Raises: QM404 snapshot_not_found, QM409 snapshot_damaged.  Writes: snapshots.*, catalog.tool, catalog.tool_version, catalog.asset, catalog.asset_version, cards.
create or replace function api.activate_snapshot(name text, dry_run boolean default false)
returns table (restored bigint, returned bigint, withdrawn bigint, unavailable bigint, undo text)
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
    v_tools_back bigint[];
    v_tools_surplus bigint[];
    v_assets_back bigint[];
    v_assets_surplus bigint[];
    v_undo_id bigint;
    v_definitions jsonb;
begin
    select string_agg(f.name, ', ') into v_faulty from snapshots.faults(v_id) as f;
    if v_faulty is not null then
        perform core.fail('snapshot_damaged', format('the snapshot %L is not as it was written', activate_snapshot.name), left(v_faulty, 500));
    end if;

    select
        count(*) filter (where d.change = 'changed'),
        count(*) filter (where d.change = 'removed' and o.status <> 'removed'),
        count(*) filter (where d.change = 'added'),
        count(*) filter (where d.change = 'removed' and o.status = 'removed'),
        array_agg(d.id) filter (where d.is_tool and d.change <> 'added' and o.status <> 'removed'),
        array_agg(d.id) filter (where d.is_tool and d.change = 'added'),
        array_agg(d.id) filter (where not d.is_tool and d.change <> 'added' and o.status <> 'removed'),
        array_agg(d.id) filter (where not d.is_tool and d.change = 'added')
    into restored, returned, withdrawn, unavailable, v_tools_back, v_tools_surplus, v_assets_back, v_assets_surplus
    from snapshots.differences(v_id) as d
    inner join catalog.origin as o on o.id = d.origin_id;
    if activate_snapshot.dry_run then
        return next;
        return;
    end if;

    undo := format(
        'before-%s', (select coalesce(max(substring(s.name from '^before-([0-9]{1,15})$')::bigint), 0) + 1 from snapshots.snapshot as s)
    );
    v_undo_id := snapshots.put_snapshot(undo, format('what was offered before %s', v_reason), v_principal_id);
    select jsonb_agg(
        v.definition || jsonb_build_object('origin', o.name, 'categories', to_jsonb(t.categories), 'examples', t.examples)
    )
    into v_definitions
    from snapshots.member as m
    inner join catalog.tool as t on t.id = m.tool_id
    inner join catalog.origin as o on o.id = t.origin_id
    inner join catalog.tool_version as v on v.tool_id = m.tool_id and v.version = m.version
    where m.snapshot_id = v_id and m.tool_id = any(v_tools_back);
    if v_definitions is not null then
        perform from catalog.put_tools(v_definitions);
    end if;
    perform catalog.decide_tools(
        array(select t.id from catalog.tool as t where t.id = any(v_tools_back) and not t.is_live), 'approved', v_reason, v_principal_id
    );
    perform catalog.restore_assets(array_agg(m.asset_id), array_agg(m.version))
    from snapshots.asset_member as m
    where m.snapshot_id = v_id and m.asset_id = any(v_assets_back);
    perform catalog.decide_assets(v_assets_back, 'approved', v_reason, v_principal_id);
    perform catalog.decide_assets(v_assets_surplus, 'deprecated', format('not in %s', v_reason), v_principal_id);
    perform catalog.decide_tools(v_tools_surplus, 'deprecated', format('not in %s', v_reason), v_principal_id);
    insert into snapshots.activation (snapshot_id, undo_id, activated_at, activated_by)
    values (v_id, v_undo_id, core.now(), v_principal_id);
    perform pg_notify('qm_catalog', '');
    return next;
end
$function$;
comment on function api.activate_snapshot(text, boolean) is
'Arguments: name; whether only to say what would happen. Of tools, resources, templates and prompts together returns how many definitions are put back, how many come back, are withdrawn, and stay away with their removed origin; and the snapshot that undoes it.';
grant execute on function api.activate_snapshot to qm_admin;
