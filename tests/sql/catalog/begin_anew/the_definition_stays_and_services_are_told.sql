begin;
select plan(3);

select t.make_catalog();
create temporary table before as select o.id, o.revision from catalog.origin as o;
select catalog.begin_anew(b.id) from before as b inner join catalog.origin as o using (id) where o.name = 'time';
select results_eq(
    $$select o.name, o.revision - b.revision from catalog.origin as o inner join before as b using (id) where o.revision <> b.revision$$,
    $$values ('time', 1)$$, 'one origin has another revision'
);
select is((select count(*) from catalog.origin_version as v), (select count(*) from before as b), 'no origin has another version');
select lives_ok($$select catalog.begin_anew(-1)$$, 'an origin that is not there is not missed');

select * from finish();
rollback;
