begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
insert into catalog.origin (name, slug, transport) values ('file', 'file', 'none');
create temporary table before as select o.revision from catalog.origin as o where o.name = 'time';
select t.act_as('alice');
select throws_ok($$select api.restart_origin('time')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.restart_origin('no such')$$, 'QM404', null, 'an origin that is not there');
select throws_ok($$select api.restart_origin('file')$$, 'QM409', null, 'or that has no server');
select results_eq($$select r.origin, r.refresh_id is not null from api.restart_origin('time') as r$$, $$values ('time', true)$$, 'it is read again');
select t.act_as_superuser();
select is((select o.revision - b.revision from catalog.origin as o, before as b where o.name = 'time'), 1, 'by a new process');
select is((select count(*) from catalog.origin_version as v inner join catalog.origin as o on o.id = v.origin_id where o.name = 'time'), 1::bigint, 'which is no other definition');
select is((select count(*) from catalog.refresh as r inner join catalog.origin as o on o.id = r.origin_id where o.name = 'time' and r.status = 'requested'), 1::bigint, 'once');

select * from finish();
rollback;
