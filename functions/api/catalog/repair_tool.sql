-- Writes: catalog.repair, catalog.item, catalog.item_version, catalog.finding, cards.
-- Announces: qm_catalog.
create or replace function api.repair_tool(
    name text,
    changes jsonb default '{}',
    reason text default '',
    undo boolean default false,
    dry_run boolean default false
)
returns table (tool text, member text, before text, after text)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_item_id bigint;
begin
    perform policy.require_principal();
    v_item_id := catalog.item_id(array['tool'], repair_tool.name);
    return query
    select p.tool, p.member, p.before, p.after
    from catalog.item as i
    cross join lateral jsonb_to_recordset(
        catalog.put_repair(
            i.origin_id, i.name, repair_tool.changes, repair_tool.undo, repair_tool.reason, repair_tool.dry_run
        )
    ) as p (tool text, member text, before text, after text)
    where i.id = v_item_id;
end
$function$;
comment on function api.repair_tool(text, jsonb, text, boolean, boolean) is
'Repairs the definition of a tool: changes what callers see of the tool and how it is called, above the definition '
'that its origin lists. Refreshes keep the repair. Arguments: name: callable name of the tool; changes: JSON {name, '
'title, brief, description, categories, examples, phrases, arguments: {ARGUMENT: {name, description, default, '
'hidden}}}, in which null takes a change back, and lists replace earlier lists; reason: reason for the change; undo: '
'true to bring back the state before the newest change instead; dry_run: true to preview the change without making it. '
'A default is sent if the caller omits the argument. The caller does not see a hidden argument, and cannot send it. '
'phrases are words of goals by which searches also find the tool. Returns what changes in the definition: the tool, '
'the path of the member, and its value before and after. Raises QM404 tool_not_found, repair_not_found, QM422 '
'repair_invalid, repair_suspicious. Can be null: before, after.';
grant execute on function api.repair_tool to qm_operator;
