begin;
select plan(3);

select is(
    catalog.asset_core('{"uri": "memo://plan", "icons": [], "_meta": {}, "size": 7, "annotations": {"audience": ["user"], "lastModified": "2026-01-01"}}'),
    '{"uri": "memo://plan", "annotations": {"audience": ["user"]}}', 'icons, size and date'
);
select is(catalog.asset_core('{"name": "a", "annotations": {"lastModified": "2026-01-01"}}'), '{"name": "a"}', 'annotations that only have a date');
select is(catalog.asset_core('{"name": "a", "annotations": 5}'), '{"name": "a"}', 'annotations that are no object');

select * from finish();
rollback;
