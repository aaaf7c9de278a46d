-- catalog.activate_repairs: a rollback must bring back what was there, also what somebody has repaired by hand. So a
-- version remembers the repairs that are current when it is replaced. New names are taken back before others are given,
-- because a name may go from one tool to another.
-- Writes: policy.rule_version, catalog.repair, and what catalog.store_repair writes.
create or replace function catalog.activate_repairs(p_version_id integer, p_previous_id integer)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_repairs constant jsonb := (
        select coalesce(v.repairs_left, v.repairs) from policy.rule_version as v where v.id = p_version_id
    );
    v_before jsonb;
    v_repair record;
begin
    if v_repairs is null or p_version_id = p_previous_id then
        return '[]'::jsonb;
    end if;
    update policy.rule_version as v
    set repairs_left = catalog.current_repairs()
    where v.id = p_previous_id;

    select coalesce(jsonb_object_agg(i.id, i.definition), '{}')
    into v_before
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    where i.kind = 'tool'
        and (
            v_repairs @> jsonb_build_array(jsonb_build_object('origin', o.name))
            or exists (select from catalog.repair as r where r.origin_id = o.id and r.is_current)
        );
    for v_repair in
        update catalog.repair as r
        set is_current = false
        where r.is_current
            and r.changes ? 'name'
            and not exists (
                select
                from jsonb_array_elements(v_repairs) as e (repair)
                inner join catalog.origin as o on o.name = e.repair ->> 'origin'
                where o.id = r.origin_id and e.repair ->> 'tool' = r.tool and e.repair -> 'name' = r.changes -> 'name'
            )
        returning r.origin_id, r.tool
    loop
        perform catalog.apply_repairs(v_repair.origin_id, v_repair.tool, 'its name is free', policy.principal_id());
    end loop;
    for v_repair in
        select
            coalesce(l.origin_id, r.origin_id) as origin_id,
            coalesce(l.tool, r.tool) as tool,
            coalesce(l.changes, '{}') as changes,
            coalesce(l.reason, format('version %s of the rules', p_version_id)) as reason,
            r.version
        from (
            select
                o.id as origin_id,
                e.repair ->> 'tool' as tool,
                e.repair - '{origin,tool,reason}'::text[] as changes,
                e.repair ->> 'reason' as reason
            from jsonb_array_elements(v_repairs) as e (repair)
            inner join catalog.origin as o on o.name = e.repair ->> 'origin' and o.status <> 'removed'
        ) as l
        full join (
            select distinct on (x.origin_id, x.tool)
                x.origin_id,
                x.tool,
                x.version,
                x.is_current,
                x.changes
            from catalog.repair as x
            order by x.origin_id, x.tool, x.version desc
        ) as r on r.origin_id = l.origin_id and coalesce(r.tool, '') = coalesce(l.tool, '')
        where coalesce(l.changes, '{}') <> coalesce(r.changes, '{}') or r.is_current is false
        order by 1, 2 nulls first
    loop
        perform catalog.store_repair(
            v_repair.origin_id,
            v_repair.tool,
            v_repair.changes,
            v_repair.reason,
            policy.principal_id(),
            v_repair.version,
            v_repair.version
        );
    end loop;
    return (
        select coalesce(
            jsonb_agg(
                jsonb_build_object('tool', d.public_name, 'member', d.path, 'before', d.before, 'after', d.after)
                order by d.public_name collate core.c_utf8, d.path collate core.c_utf8
            ),
            '[]'
        )
        from catalog.repaired_members(v_before) as d
        where policy.is_visible(d.rights_class, (select policy.visible_classes()))
    );
end
$function$;
comment on function catalog.activate_repairs(integer, integer) is
'Makes the repairs of a version of the rules the current ones, and takes back all others. If the version was active '
'before, its repairs are those that were current when it was replaced. Does nothing if nothing is known about '
'repairs. Repairs of origins that are gone are skipped. Arguments: p_version_id: number of the version; '
'p_previous_id: number of the version that was active before (null: none). Returns a JSON array of {tool, member, '
'before, after}: what changes in which definition. Raises QM422 repair_invalid.';
