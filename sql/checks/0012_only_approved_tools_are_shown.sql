-- Summary: a tool has a card exactly when it is live, and a live tool's newest version is approved.
-- Consequence: else a tool is found that nobody has approved, or one that is approved is not found.
-- Fix: select catalog.show_tools(array[id]) for a card; qm tool approve for a version.
select 'tool ' || t.callable_name as offender
from catalog.tool as t
left join search.card as c on c.kind = 'tool' and c.ref = t.id
left join catalog.tool_version as v on v.tool_id = t.id and v.valid_to is null
where
    t.is_live <> (c.id is not null)
    or (t.is_live and v.approved_at is null);
