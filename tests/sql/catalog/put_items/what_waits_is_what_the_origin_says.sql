begin;
select plan(10);

select t.make_origin('o'), t.make_principal('op', 'operator');
create function pg_temp.listed(p_name text, p_description text, p_by_hand boolean default false) returns text language sql as $$
    select p.outcome || coalesce(', ' || p.reason, '')
    from t.put_tools(jsonb_build_array(jsonb_build_object('origin', 'o', 'name', p_name, 'description', p_description)), p_by_hand) as p;
$$;
update catalog.origin set approval = 'all';
select is(pg_temp.listed('x', 'one'), 'added, pending: the item is new', 'all: new ones wait too');
select is(pg_temp.listed('y', 'one', true), 'added', 'but not what is handed over by hand');
update catalog.origin set approval = 'none';
select is(pg_temp.listed('y', 'two'), 'changed', 'none: nothing waits');
update catalog.origin set approval = null;
select is(pg_temp.listed('z', 'one') || '; ' || pg_temp.listed('z', 'two'), 'added; changed, pending: the item changed', 'by default changed ones wait');
update core.setting set value = '"none"' where name = 'catalog.approval';
select is(pg_temp.listed('z', 'three'), 'changed', 'unless the setting says otherwise');
update core.setting set value = '"changes"' where name = 'catalog.approval';
select is(
    (select p.outcome || coalesce(p.reason, '') from t.put_tools('[{"origin": "o", "name": "z", "description": "three", "extra": {"_meta": {"at": 1}}}]', false) as p),
    'changed', 'what no model reads may change'
);
select is(
    (select p.outcome || ', ' || p.reason from t.put_tools('[{"origin": "o", "name": "z", "description": "three", "annotations": {"readOnlyHint": true}}]', false) as p),
    'changed, pending: the item changed', 'annotations may not'
);
select catalog.decide_items(array[t.id], 'quarantined', 'looks odd', null) from catalog.item as t where t.name = 'z';
select is(pg_temp.listed('z', 'four'), 'changed, quarantined: looks odd', 'what an operator put away does not come back by changing');
select is(pg_temp.listed('z', 'four', true), 'unchanged, quarantined: looks odd', 'nor by being handed over');
select is(pg_temp.listed('z', 'one', true), 'changed, quarantined: looks odd', 'nor by being again what it was');

select * from finish();
rollback;
