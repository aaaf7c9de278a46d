begin;
select plan(4);

select t.make_catalog(), t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select * from api.read_definitions('{1}')$$, '42501', null, 'administrators do not');
select t.act_as_superuser();
update catalog.item set status = 'quarantined' where public_name = 'tracker__create_ticket';
create temporary table asked as select array_agg(x.id) as ids from catalog.item as x where x.public_name <> 'time__convert_time';
grant select on asked to public;
set local session authorization qm_service;
create temporary table read as select d.* from asked as a cross join api.read_definitions(a.ids) as d;
select set_eq($$select r.callable_name from read as r$$, $$values ('time__get_current_time'), ('tracker__listTickets')$$, 'those asked for that are offered');
select is((select r.definition ->> 'name' from read as r where r.origin = 'time'), 'get_current_time', 'whole');
reset session authorization;
select set_eq(
    $$select r.content_hash, r.valid_from, r.version, r.rights_class from read as r$$,
    $$select encode(v.content_hash, 'hex'), v.valid_from, v.version, x.rights_class from catalog.item as x inner join catalog.item_version as v on v.item_id = x.id
      where x.public_name in ('time__get_current_time', 'tracker__listTickets')$$, 'as it is in the catalog'
);

select * from finish();
rollback;
