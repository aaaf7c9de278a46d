begin;
select plan(6);
select t.make_principal('dora'), t.make_principal('boss', 'admin');
select t.make_project('shop', 'alice'), t.make_project('bank', 'bob'), t.make_project('lab', 'carol');
select t.make_library('shop', 'acme', '1.0', 'Sends a parcel by road.');
select t.make_library('bank', 'acme', '2.0', 'Sends a parcel by air.');
select t.make_library('lab', 'acme', '2.0', 'Sends a parcel by pirates.');

select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.version, s.passage from api.lookup_symbols('acme', 'parcel') as s$$, $$values ('1.0', 'Sends a parcel by road.')$$,
    'the first project has its version'
);
select t.act_as('bob', 'qm_user');
select results_eq(
    $$select s.version, s.passage from api.lookup_symbols('acme', 'parcel') as s$$, $$values ('2.0', 'Sends a parcel by air.')$$,
    'the second has another'
);
select is_empty($$select from api.lookup_symbols('acme', 'pirates') as s where s.passage like '%pirates%'$$, 'and no word of the tampered copy');
select is_empty($$select from api.search_cards('pirates', kinds => '{symbol}') as s where s.brief like '%pirates%'$$, 'nor does a search of cards');
select t.act_as('carol', 'qm_user');
select results_eq(
    $$select s.passage from api.lookup_symbols('acme', 'parcel') as s$$, $$values ('Sends a parcel by pirates.')$$, 'only its own project sees it'
);
select t.act_as('dora', 'qm_user');
select throws_ok($$select * from api.lookup_symbols('acme', 'parcel')$$, 'QM404', null, 'to others it does not exist');
select * from finish();
rollback;
