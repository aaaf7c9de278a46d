-- Summary: a card of a tool has the tool's rights class, and every class in use is known.
-- Consequence: else search and call would decide differently, or a query would fail.
-- Fix: select catalog.classify(), as the owner of the database.
with used as (
    select o.rights_class as id
    from catalog.origin as o
    union
    select t.rights_class
    from catalog.tool as t
    union
    select c.rights_class
    from search.card as c
)

select 'card ' || c.name as offender
from search.card as c
inner join catalog.tool as t on c.ref = t.id
where c.kind = 'tool' and c.rights_class <> t.rights_class
union all
select 'class ' || u.id
from used as u
left join policy.rights_class as k on u.id = k.id
where k.id is null;
