begin;
select plan(14);

select t.make_assets();
create function pg_temp.put(p_prompt jsonb) returns text language sql as $$
    select concat_ws(' ', p.outcome, p.reason) from t.put_items('prompt', 'first', jsonb_build_array(p_prompt), false) as p;
$$;
create function pg_temp.state() returns text language sql as $$
    select concat_ws(' ', a.status, a.version, a.approved_version, a.is_live, a.status_reason) from catalog.item as a where a.kind = 'prompt';
$$;
select is(pg_temp.state(), 'approved 1 1 t ', 'what is new comes in by default');
select is(pg_temp.put('{"name": "greet", "description": "Greets."}'), 'changed pending: the item changed', 'a change, which waits');
select is(pg_temp.state(), 'pending 2 1 f the item changed', 'it is offered no more');
select is((select v.valid_to is not null from catalog.item_version as v inner join catalog.item as a on a.id = v.item_id and a.kind = 'prompt' where v.version = 1), true, 'its first version is over');
select is(pg_temp.put('{"name": "greet", "description": "Greets.", "_meta": {"x": 1}, "icons": []}'), 'changed pending: the item changed', 'icons and _meta are no new version');
select is(pg_temp.state(), 'pending 2 1 f the item changed', 'and let nothing in');
select is(pg_temp.put('{"name": "greet"}'), 'changed', 'as it was when it was approved');
select is(pg_temp.state(), 'approved 3 3 t ', 'it need not wait');
select catalog.decide_items(array(select a.id from catalog.item as a where a.kind = 'prompt'), 'deprecated', 'no more', null);
select pg_temp.put('{"name": "greet", "title": "Greet"}');
select is(pg_temp.state(), 'deprecated 4 3 f no more', 'what an operator decided holds');

select t.put_items('resource', 'second', '[{"uri": "memo://plan", "name": "other plan", "size": 7, "annotations": {"lastModified": "2026-01-01T00:00:00Z"}}]', false);
select is((select a.version from catalog.item as a where a.origin_id = catalog.origin_id('second')), 1, 'a file that was written to is the same resource');
update catalog.origin set approval = 'all' where name = 'second';
select t.put_items('prompt', 'second', '[{"name": "late"}]', false);
select is((select a.status || ': ' || a.status_reason from catalog.item as a where a.name = 'late'), 'pending: the item is new', 'where all wait, new ones do');
select is((select a.approved_version from catalog.item as a where a.name = 'late'), null, 'nobody has approved it');
update catalog.origin set approval = 'none' where name = 'second';
select t.put_items('resource', 'second', '[{"uri": "memo://plan", "name": "a third plan"}]', false);
select is((select a.status from catalog.item as a where a.kind = 'resource' and a.origin_id = catalog.origin_id('second')), 'approved', 'where none wait, changed ones do not');
select is_empty($$select v.item_id from catalog.item_version as v where v.valid_to is null group by v.item_id having count(*) <> 1$$, 'one version is open of each');

select * from finish();
rollback;
