-- Summary: of a resource, template or prompt that is live, the newest version is approved.
-- Consequence: else something is listed and read that nobody has approved.
-- Fix: look at it with qm asset show, then qm asset approve or qm asset quarantine.
select a.kind || ' ' || a.public_name as offender
from catalog.asset as a
left join catalog.asset_version as v on v.asset_id = a.id and v.valid_to is null
where a.is_live and v.approved_at is null;
