begin;
select plan(3);

select t.make_catalog();
create temporary table tool as select i.origin_id, i.name from catalog.item as i where i.name = 'convert_time';
select catalog.store_repair(x.origin_id, x.name, '{"title": "First"}', 'why', null, null, null) from tool as x;
select catalog.store_repair(x.origin_id, x.name, '{"title": "Second"}', null, null, 1, 1) from tool as x;
select results_eq(
    $$select r.version, r.earlier_version, r.is_current, r.changes ->> 'title', r.reason from catalog.repair as r order by r.version$$,
    $$values (1, null, false, 'First', 'why'), (2, 1, true, 'Second', '')$$, 'versions follow each other'
);
select is((select i.definition ->> 'title' from catalog.item as i where i.name = 'convert_time'), 'Second', 'the definition follows');
select catalog.store_repair(x.origin_id, null, '{"categories": ["clock"]}', '', null, null, null) from tool as x;
select is((select count(*) from catalog.repair as r where r.is_current), 2::bigint, 'all tools of an origin have a repair of their own');

select * from finish();
rollback;
