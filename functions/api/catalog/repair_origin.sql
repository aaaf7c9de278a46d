-- Writes: catalog.repair, catalog.item, catalog.item_version, catalog.finding, cards.
-- Announces: qm_catalog.
create or replace function api.repair_origin(
    name text,
    changes jsonb default '{}',
    reason text default '',
    undo boolean default false,
    dry_run boolean default false
)
returns table (tool text, member text, before text, after text)
language plpgsql
volatile parallel unsafe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    select p.tool, p.member, p.before, p.after
    from jsonb_to_recordset(
        catalog.put_repair(
            catalog.origin_id(repair_origin.name),
            null,
            repair_origin.changes,
            repair_origin.undo,
            repair_origin.reason,
            repair_origin.dry_run
        )
    ) as p (tool text, member text, before text, after text);
end
$function$;
comment on function api.repair_origin(text, jsonb, text, boolean, boolean) is
'Repairs the definitions of all tools of an origin, also of tools that it will list later. The repair of a tool comes '
'first. Arguments: name: name of the origin; changes: JSON {categories, phrases, arguments}, as in api.repair_tool; an '
'argument is changed in every tool that has it; reason: reason for the change; undo: true to bring back the state '
'before the newest change instead; dry_run: true to preview the change without making it. Returns what changes in the '
'definitions that the caller may see: the tool, the path of the member, and its value before and after. Raises QM404 '
'origin_not_found, repair_not_found, QM422 repair_invalid, repair_suspicious. Can be null: before, after.';
grant execute on function api.repair_origin to qm_operator;
