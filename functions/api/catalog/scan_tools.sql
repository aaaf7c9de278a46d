-- api.scan_tools: a stretch of the catalog is scanned for poisoned definitions; what is found is put into quarantine.
-- Stretch by stretch, so that each is a short transaction: call again with the last id returned until none comes.
-- Definer because findings and the catalog are written by its own functions only; executable by operators.
-- Writes: catalog.finding, catalog.tool, catalog.tool_version, cards.  Announces: qm_catalog.
create or replace function api.scan_tools(
    after_id bigint default 0, maximum integer default 500, names text[] default null, duplicates boolean default false
)
returns table (last_id bigint, tools integer, findings integer, quarantined text[])
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_tool_ids bigint[];
    v_quarantined bigint[];
begin
    perform policy.require_principal();
    select array_agg(s.id), max(s.id)
    into v_tool_ids, last_id
    from (
        select t.id
        from catalog.tool as t
        where t.id > scan_tools.after_id
            and t.deprecated_at is null
            and (scan_tools.names is null or t.callable_name = any(scan_tools.names))
            and policy.is_visible(t.rights_class, (select policy.visible_classes()))
        order by t.id
        limit greatest(scan_tools.maximum, 1)
    ) as s;
    if v_tool_ids is null then
        return;
    end if;
    if scan_tools.duplicates then
        perform catalog.scan_duplicates(v_tool_ids);
    end if;
    select s.findings, s.quarantined into findings, v_quarantined from catalog.scan_tools(v_tool_ids) as s;
    if v_quarantined <> '{}' then
        perform catalog.show_tools(v_quarantined);
        perform pg_notify('qm_catalog', o.origin_id::text)
        from (select distinct t.origin_id from catalog.tool as t where t.id = any(v_quarantined)) as o;
    end if;
    tools := cardinality(v_tool_ids);
    quarantined := array(select t.callable_name from catalog.tool as t where t.id = any(v_quarantined) order by t.callable_name);
    return next;
end
$function$;
comment on function api.scan_tools(bigint, integer, text[], boolean) is
'Arguments: id after which to begin; how many tools; only these callable names; whether vectors are compared too (near duplicates of other origins). Returns the last id, how many tools were scanned, how many findings they have, and which were put into quarantine; no row when none is left.';
grant execute on function api.scan_tools to qm_operator;
