-- Summary: an item has a card if and only if the item is offered (is_live) and meant for models, and the newest version
-- of an offered item is approved.
-- Consequence: otherwise a search finds an item that nobody approved, or does not find an approved item.
-- Fix: select catalog.show_items(array[id]) for a card; qm card approve for a version.
select i.kind || ' ' || i.public_name as offender
from catalog.item as i
left join search.card as c on i.kind = c.kind and i.id = c.ref
left join catalog.item_version as v on i.id = v.item_id and v.valid_to is null
where
    (i.is_live and catalog.is_for_models(i.definition)) <> (c.id is not null)
    or (i.is_live and v.approved_at is null);
