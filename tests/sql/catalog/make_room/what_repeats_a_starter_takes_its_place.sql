begin;
select plan(4);

select t.make_origin('starter'), t.make_origin('mine');
select t.make_tool('starter', 'now'), t.make_tool('mine', 'now'), t.make_tool('mine', 'week');
update catalog.item as i set status = 'pending', status_reason = case i.name when 'now' then 'it repeats starter__now of starter' else 'the item is new' end
from catalog.origin as o where o.id = i.origin_id and o.name = 'mine';
select is(catalog.make_room('{}', catalog.origin_id('mine')), 0, 'no starter, no change');
select is(catalog.make_room(array[catalog.origin_id('starter')], catalog.origin_id('mine')), 1, 'one item waited for nothing else');
select results_eq(
    $$select i.public_name, i.status, i.is_live from catalog.item as i order by i.id$$,
    $$values ('starter__now', 'approved', false), ('mine__now', 'approved', true), ('mine__week', 'pending', false)$$, 'which is approved'
);
select results_eq(
    $$select o.status, r.name from catalog.origin as o inner join catalog.origin as r on r.id = o.replaced_by where o.name = 'starter'$$,
    $$values ('removed', 'mine')$$, 'the starter is removed'
);

select * from finish();
rollback;
