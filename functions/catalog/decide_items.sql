-- catalog.decide_items: applies the decision of an operator to approve, quarantine or deprecate items.
-- Approval belongs to the version, and the scan does not overrule it.
-- Writes: catalog.item, catalog.item_version, cards.  Announces: qm_catalog.
create or replace function catalog.decide_items(p_item_ids bigint[], p_status text, p_reason text, p_principal_id bigint)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    update catalog.item as i
    set
        status = p_status,
        status_reason = left(coalesce(p_reason, ''), 2000),
        status_at = core.now(),
        approved_version = case when p_status = 'approved' then i.version else i.approved_version end
    where i.id = any(p_item_ids);
    update catalog.item_version as v
    set
        approved_at = case p_status when 'approved' then coalesce(v.approved_at, core.now()) when 'quarantined' then null else v.approved_at end,
        approved_by = case p_status when 'approved' then p_principal_id when 'quarantined' then null else v.approved_by end
    where v.item_id = any(p_item_ids) and v.valid_to is null;
    perform catalog.show_items(p_item_ids);
    perform catalog.announce_items(p_item_ids);
end
$function$;
comment on function catalog.decide_items(bigint[], text, text, bigint) is
'Arguments: items; approved, quarantined or deprecated; the reason; the principal who decides. Announces the change '
'on channel qm_catalog.';
