-- catalog.restore_repairs: the activation of a snapshot takes one of the present catalog and makes repairs in the same
-- transaction, so both have one time. Those repairs must not be part of that snapshot.
-- Writes: what catalog.store_repair writes.
create or replace function catalog.restore_repairs(p_as_of timestamptz, p_reason text, p_principal_id bigint)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_repair record;
    v_count integer := 0;
begin
    for v_repair in
        select r.*, coalesce(b.changes, '{}') as former
        from catalog.repair as r
        inner join catalog.origin as o on o.id = r.origin_id and o.status <> 'removed'
        left join lateral (
            select x.changes
            from catalog.repair as x
            where x.origin_id = r.origin_id and x.tool is not distinct from r.tool and x.made_at < p_as_of
            order by x.version desc
            limit 1
        ) as b on true
        where r.is_current and r.changes <> coalesce(b.changes, '{}')
        order by r.id
    loop
        perform catalog.store_repair(
            v_repair.origin_id,
            v_repair.tool,
            v_repair.former,
            p_reason,
            p_principal_id,
            v_repair.version,
            v_repair.version
        );
        v_count := v_count + 1;
    end loop;
    return v_count;
end
$function$;
comment on function catalog.restore_repairs(timestamptz, text, bigint) is
'Brings back the repairs that were current just before a given time, as new versions. Arguments: p_as_of: the time; '
'p_reason: reason for the change; p_principal_id: id of the principal who makes the change. Returns how many repairs '
'changed.';
