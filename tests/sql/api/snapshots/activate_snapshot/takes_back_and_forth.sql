begin;
select plan(13);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.activate_snapshot('monday')$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select throws_ok($$select * from api.activate_snapshot('monday')$$, 'QM404', null, 'one that is not there');
select count(*) from api.create_snapshot('monday');
select t.act_as_superuser();
create temporary table monday as select x.public_name, x.definition ->> 'description' as description from catalog.item as x where x.is_live;
create temporary table one as select o.name as origin, x.name, x.public_name from catalog.item as x inner join catalog.origin as o on o.id = x.origin_id order by x.id limit 1;
create temporary table two as select x.id, x.public_name from catalog.item as x order by x.id offset 1 limit 1;
grant select on monday, one, two to qm_admin;
select t.make_tool(o.origin, o.name, 'Does something else altogether.') from one as o;
select t.make_tool(o.origin, 'brand_new', 'Is new.') from one as o;
select catalog.decide_items(array[w.id], 'deprecated', 'x', policy.find_principal('root')) from two as w;
select t.act_as('root', 'qm_admin');
select results_eq(
    $$select a.restored, a.returned, a.withdrawn, a.unavailable, a.undo from api.activate_snapshot('monday', dry_run => true) as a$$,
    $$values (1::bigint, 1::bigint, 1::bigint, 0::bigint, null::text)$$, 'what would happen'
);
select is((select count(*)::integer from api.list_snapshots()), 1, 'has not');
create temporary table done as select * from api.activate_snapshot('monday');
select results_eq($$select d.restored, d.returned, d.withdrawn from done as d$$, $$values (1::bigint, 1::bigint, 1::bigint)$$, 'until it does');
select set_eq($$select x.public_name, x.definition ->> 'description' as description from catalog.item as x where x.is_live$$, $$select m.public_name, m.description from monday as m$$, 'the catalog is as it was');
select is_empty($$select d.* from api.diff_snapshots('monday') as d$$, 'nothing sets it apart');
select isnt_empty($$select s.rank from api.select_tools((select m.description from monday as m limit 1)) as s$$, 'and is found');
select is((select x.version from catalog.item as x inner join one as o on o.public_name = x.public_name), 3, 'what was put back is a new version');
select isnt((select s.activated_at from api.list_snapshots() as s where s.name = 'monday'), null, 'the list says when');
select count(*) from api.activate_snapshot((select d.undo from done as d));
select results_eq(
    $$select x.definition ->> 'description' from catalog.item as x inner join one as o on o.public_name = x.public_name$$,
    array['Does something else altogether.'], 'undone'
);
select is((select count(*)::integer from catalog.item as x where x.is_live and x.name = 'brand_new'), 1, 'what was withdrawn is back');
select t.act_as_superuser();
update catalog.item_version as v set definition = v.definition || '{"description": "x"}' where v.item_id = (select w.id from two as w);
select t.act_as('root', 'qm_admin');
select throws_ok($$select * from api.activate_snapshot('monday')$$, 'QM409', null, 'one that is damaged is not trusted');

select * from finish();
rollback;
