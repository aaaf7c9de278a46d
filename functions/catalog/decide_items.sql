-- catalog.decide_items: an approval applies to one version, and a scan does not override the approval.
-- Writes: catalog.item, catalog.item_version, cards.
-- Announces: qm_catalog.
create or replace function catalog.decide_items(
    p_item_ids bigint[], p_status text, p_reason text, p_principal_id bigint
)
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
        approved_at = case p_status
            when 'approved' then coalesce(v.approved_at, core.now())
            when 'quarantined' then null
            else v.approved_at
        end,
        approved_by = case p_status
            when 'approved' then p_principal_id
            when 'quarantined' then null
            else v.approved_by
        end
    where v.item_id = any(p_item_ids) and v.valid_to is null;
    perform catalog.show_items(p_item_ids);
    perform catalog.announce_items(p_item_ids);
end
$function$;
comment on function catalog.decide_items(bigint[], text, text, bigint) is
'Applies an operator''s decision to approve, quarantine or deprecate items. Arguments: p_item_ids: ids of the items; '
'p_status: the new status (approved, quarantined or deprecated); p_reason: reason for the change; p_principal_id: id '
'of the operator. Announces the change on channel qm_catalog.';
