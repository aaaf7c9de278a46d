begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_principal('bob');
select t.make_library('shop', 'acme', '1.0'), t.make_library('shop', 'acme', '2.0');
select t.act_as('alice');
select results_eq(
    $$select * from api.find_libraries('Acme')$$,
    $$values ('acme', '2.0', 'Parcels', 1, 3::real), ('acme', '1.0', 'Parcels', 1, 3::real)$$, 'the newest version first'
);
select is_empty($$select from api.find_libraries('acme', '/srv/other')$$, 'in a folder that was not read');
select t.act_as('bob');
select is_empty($$select from api.find_libraries('acme')$$, 'the libraries of others');
select t.act_as(null);
select throws_ok($$select api.find_libraries('acme')$$, 'QM403', null, 'nobody asks without a principal');

select * from finish();
rollback;
