-- Writes: catalog.repair, and what catalog.apply_repairs writes.
create or replace function catalog.store_repair(
    p_origin_id bigint,
    p_tool text,
    p_changes jsonb,
    p_reason text,
    p_principal_id bigint,
    p_current_version integer,
    p_earlier_version integer
)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    update catalog.repair as r
    set is_current = false
    where r.origin_id = p_origin_id and r.tool is not distinct from p_tool and r.is_current;
    insert into catalog.repair (origin_id, tool, version, earlier_version, changes, reason, made_at, made_by)
    values (
        p_origin_id,
        p_tool,
        coalesce(p_current_version, 0) + 1,
        p_earlier_version,
        p_changes,
        left(coalesce(p_reason, ''), 2000),
        core.now(),
        p_principal_id
    );
    select catalog.apply_repairs(
        p_origin_id, p_tool, left(coalesce(nullif(p_reason, ''), 'repaired'), 2000), p_principal_id
    );
$function$;
comment on function catalog.store_repair(bigint, text, jsonb, text, bigint, integer, integer) is
'Stores a new version of a repair, makes it the current one, and applies it. The caller has checked the changes. '
'Arguments: p_origin_id: id of the origin; p_tool: the origin''s own name of the tool (null: all tools of the origin); '
'p_changes: all changes, as in catalog.repair.changes ({}: none); p_reason: reason for the change; p_principal_id: id '
'of the principal who makes it; p_current_version: the current version (null: there is none); p_earlier_version: the '
'version that an undo brings back (null: no repair). Raises QM422 repair_invalid.';
