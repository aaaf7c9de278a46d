-- policy.is_visible decides what a principal may see; searches use the same test. Only security definer functions
-- write.
-- Only operators see items that are waiting for approval or are in quarantine, and versions that are not approved,
-- because these are withheld from everybody else. An origin is visible if the rules allow the origin or any of its
-- items. Rows that belong to an item are visible if the item is visible.
grant usage on schema catalog to qm_reader, qm_admin;

grant select ( -- noqa: PRS
    id, name, slug, description, transport, status, failure_class, failure, protocol_version,
    created_at, refreshed_at
) on catalog.origin to qm_reader, qm_admin;
create policy user_reads on catalog.origin for select to qm_reader, qm_admin
using (
    policy.is_visible(rights_class, (select policy.visible_classes()))
    or exists (select from catalog.item as i where i.origin_id = origin.id)
);

grant select on catalog.item to qm_reader, qm_admin;
create policy user_reads on catalog.item for select to qm_reader, qm_admin
using (
    policy.is_visible(rights_class, (select policy.visible_classes()))
    and (status not in ('pending', 'quarantined') or (select policy.has_role('operator')))
);

grant select on catalog.item_version to qm_reader, qm_admin;
create policy user_reads on catalog.item_version for select to qm_reader, qm_admin
using (
    (approved_at is not null or (select policy.has_role('operator')))
    and exists (select from catalog.item as i where i.id = item_id)
);

grant select on catalog.offer to qm_reader, qm_admin;
create policy user_reads on catalog.offer for select to qm_reader, qm_admin
using (
    exists (
        select from catalog.item_version as v
        where v.item_id = offer.item_id and v.version = offer.version
    )
);

grant select ( -- noqa: PRS
    origin_id, version, valid_from, valid_to, name, description, transport, is_removed
) on catalog.origin_version to qm_reader, qm_admin;
create policy user_reads on catalog.origin_version for select to qm_reader, qm_admin
using (exists (select from catalog.origin as o where o.id = origin_id));

grant select on catalog.repair to qm_reader, qm_admin;
create policy operator_reads on catalog.repair for select to qm_reader, qm_admin
using (
    (select policy.has_role('operator'))
    and exists (select from catalog.origin as o where o.id = origin_id)
    and (
        tool is null
        or (select policy.has_role('admin')) -- also for a tool that is not listed yet
        or exists (select from catalog.item as i where i.origin_id = repair.origin_id and i.name = repair.tool)
    )
);

grant select on catalog.phrase_proposal to qm_reader, qm_admin;
create policy user_reads on catalog.phrase_proposal for select to qm_reader, qm_admin
using (
    (proposed_by = (select policy.principal_id()) or (select policy.has_role('operator')))
    and exists (select from catalog.item as i where i.id = item_id)
);

select policy.let_read('catalog.allowance', 'operator');
select policy.let_read('catalog.scan_rule', 'operator');
select policy.let_read('catalog.finding', 'operator', 'catalog.item', 'item_id');
select policy.let_read('catalog.refresh', 'operator');
