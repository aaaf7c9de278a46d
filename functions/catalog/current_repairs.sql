create or replace function catalog.current_repairs()
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        jsonb_agg(
            jsonb_build_object('origin', o.name)
            || case when r.tool is null then '{}' else jsonb_build_object('tool', r.tool) end
            || case when r.reason = '' then '{}' else jsonb_build_object('reason', r.reason) end
            || r.changes
            order by o.name, r.tool nulls first
        ),
        '[]'
    )
    from catalog.repair as r
    inner join catalog.origin as o on o.id = r.origin_id and o.status <> 'removed'
    where r.is_current and r.changes <> '{}';
$function$;
comment on function catalog.current_repairs() is
'Lists the current repairs. Returns them as JSON [{origin, tool, reason, ...}], in the form of '
'policy.rule_version.repairs.';
