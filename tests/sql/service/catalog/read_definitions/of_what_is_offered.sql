begin;
select plan(4);

select t.make_catalog(), t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select * from service.read_definitions('{1}')$$, '42501', null, 'administrators do not');
select t.act_as_superuser();
create temporary table asked as select array_agg(x.id) as ids from search.card as x where x.name <> 'time__convert_time';
grant select on asked to public;
update catalog.item set status = 'quarantined' where public_name = 'tracker__create_ticket';
set local session authorization qm_service;
create temporary table read as select d.* from asked as a cross join service.read_definitions(a.ids) as d;
select set_eq($$select r.public_name from read as r$$, $$values ('time__get_current_time'), ('tracker__listTickets')$$, 'those asked for that are offered');
select is((select coalesce(r.body -> 'definition', 'null') = 'null' and r.body #>> '{said,definition,name}' = 'get_current_time' from read as r where r.origin = 'time'), true, 'whole, and once');
reset session authorization;
select set_eq(
    $$select r.body ->> 'content_hash' as hash, (r.body ->> 'valid_from')::timestamptz as since, r.body -> 'version' as version, r.own_name from read as r$$,
    $$select encode(v.content_hash, 'hex'), v.valid_from, to_jsonb(v.version), x.name from catalog.item as x inner join catalog.item_version as v on v.item_id = x.id
      where x.public_name in ('time__get_current_time', 'tracker__listTickets')$$, 'as it is in the catalog'
);

select * from finish();
rollback;
