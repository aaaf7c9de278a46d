begin;
select plan(4);

select t.make_catalog(), t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select t.at('2027-01-01 00:00+00');
select api.request_refresh('time');
create temporary table run as select c.refresh_id from service.claim_refresh(gen_random_uuid()) as c;
select s.* from run cross join lateral service.store_items(run.refresh_id, 'tool', '[{"name": "brand_new"}]') as s;
select service.finish_refresh(run.refresh_id, 'network', repeat('it broke ', 1000)) from run;
select results_eq($$select g.status, g.deprecated, g.failure_class, length(g.failure) from run cross join lateral api.get_refresh(run.refresh_id) as g$$, $$values ('failed', 0, 'network', 2000)$$, 'it says why');
select is((select count(*) from catalog.item as t where t.deprecated_at is null and t.public_name like 'time%'), 3::bigint, 'old and new tools are live');
select results_eq($$select o.status, o.failure_class from api.list_origins() as o where o.name = 'time'$$, $$values ('failing', 'network')$$, 'the origin is failing');
select isnt_empty($$select * from api.request_refresh('time')$$, 'and can be tried again');

select * from finish();
rollback;
