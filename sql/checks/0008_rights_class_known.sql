-- Summary: the card of an item has the same rights class as the item, and every rights class in use
-- exists.
-- Consequence: otherwise a tool could be found but not called, or a query could fail.
-- Fix: select catalog.classify(), as the owner of the database.
with used as (
    select o.rights_class as id
    from catalog.origin as o
    union
    select i.rights_class
    from catalog.item as i
    union
    select c.rights_class
    from search.card as c
)

select 'card ' || c.name as offender
from search.card as c
inner join catalog.item as i on c.kind = i.kind and c.ref = i.id
where c.rights_class <> i.rights_class
union all
select 'class ' || u.id
from used as u
left join policy.rights_class as k on u.id = k.id
where k.id is null;
