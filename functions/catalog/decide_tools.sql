-- catalog.decide_tools: an operator's word on tools: approved, quarantined or deprecated.
-- Approval stands with the version: the scan does not overrule who has looked at it.
-- Writes: catalog.tool, catalog.tool_version, cards.  Announces: qm_catalog.
create or replace function catalog.decide_tools(p_tool_ids bigint[], p_status text, p_reason text, p_principal_id bigint)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    update catalog.tool as t
    set
        status = p_status,
        status_reason = left(coalesce(p_reason, ''), 2000),
        status_at = core.now(),
        approved_version = case when p_status = 'approved' then t.version else t.approved_version end
    where t.id = any(p_tool_ids);
    update catalog.tool_version as v
    set
        approved_at = case p_status when 'approved' then coalesce(v.approved_at, core.now()) when 'quarantined' then null else v.approved_at end,
        approved_by = case p_status when 'approved' then p_principal_id when 'quarantined' then null else v.approved_by end
    where v.tool_id = any(p_tool_ids) and v.valid_to is null;
    perform catalog.show_tools(p_tool_ids);
    perform pg_notify('qm_catalog', o.origin_id::text)
    from (select distinct t.origin_id from catalog.tool as t where t.id = any(p_tool_ids)) as o;
end
$function$;
comment on function catalog.decide_tools(bigint[], text, text, bigint) is
'Arguments: tools; approved, quarantined or deprecated; why; the deciding principal. Announces the change on channel qm_catalog.';
