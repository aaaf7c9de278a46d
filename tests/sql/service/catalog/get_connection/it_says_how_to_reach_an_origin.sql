begin;
select plan(3);

select t.make_catalog(), t.make_principal('op', 'operator');
create temporary table ids as select o.id from catalog.origin as o where o.name = 'time';
grant select on ids to public;
select t.act_as('op', 'qm_operator');
select results_eq($$select c.name, c.transport, c.command from ids cross join lateral service.get_connection(ids.id) as c$$, $$values ('time', 'stdio', '{true}'::text [])$$, 'transport and command');
select throws_ok($$select * from service.get_connection(-1)$$, 'QM404', null, 'an unknown one');

select t.act_as_superuser();
select catalog.put_origin('time', '', 'stdio', '{true}', null, null, '{}', '{}', null, '{}', '{}', true);
select t.act_as('op', 'qm_operator');
select results_eq($$select c.revision from ids cross join lateral service.get_connection(ids.id) as c$$, $$values (2)$$, 'defined again, it has another revision');

select * from finish();
rollback;
