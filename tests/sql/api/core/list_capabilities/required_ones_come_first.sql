begin;
select plan(2);

select t.make_principal('alice'), t.act_as('alice');
select results_eq($$select l.name from api.list_capabilities() as l limit 3$$, array['pg_trgm', 'unaccent', 'vector'], 'by name');
select is_empty($$select * from api.list_capabilities() as l where not l.installed and (l.stand_in = '' or l.reason is null)$$, 'what is absent says what stands in and why');

select * from finish();
rollback;
