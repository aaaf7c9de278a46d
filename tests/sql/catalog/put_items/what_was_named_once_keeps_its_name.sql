begin;
select plan(7);

select t.make_assets();
select results_eq(
    $$select a.public_name from catalog.item as a where a.kind = 'resource' order by a.id$$,
    array['memo://plan', 'memo://secret/key', 'quartermaster://second/memo://plan'], 'who comes first keeps the URI, who comes second gets a prefix'
);
select is((select a.public_name from catalog.item as a where a.kind = 'prompt'), 'first__greet', 'a prompt is called like a tool');
select results_eq(
    $$select p.outcome, p.reason from t.put_items('resource', 'first', '[{"uri": "memo://secret/key", "name": "key"}, {"uri": "memo://new"}, {"name": "nothing"}]') as p$$,
    $$values ('unchanged', null), ('added', null), ('rejected', 'the name is missing')$$, 'one was there, one came, one has no URI'
);
select is(catalog.deprecate_items(catalog.origin_id('first'), '{resource}', 'infinity'), 3, 'they go');
select is((select count(*) from catalog.item as a where a.deprecated_at is not null), 3::bigint, 'and are kept');
select is((select p.outcome from t.put_items('resource', 'first', '[{"uri": "memo://plan", "name": "plan"}]') as p), 'changed', 'one comes back');
select is((select a.public_name from catalog.item as a where a.origin_id = catalog.origin_id('second')), 'quartermaster://second/memo://plan', 'nobody is renamed');

select * from finish();
rollback;
