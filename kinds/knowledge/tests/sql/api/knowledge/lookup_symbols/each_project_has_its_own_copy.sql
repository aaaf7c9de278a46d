begin;
select plan(9);
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

-- Somebody who is a member of two projects names the one that she works on.
select t.act_as_superuser();
insert into projects.member (project_id, principal_id, role)
select j.id, p.id, 'member' from projects.project as j, policy.principal as p where j.name = 'shop' and p.name = 'bob';
select knowledge.share(array(select d.id from knowledge.distribution as d));
select t.act_as('bob', 'qm_user');
select results_eq(
    format($$select s.version from api.lookup_symbols('acme', 'parcel', project => %L) as s$$, g.project), format($$values (%L)$$, g.version),
    format('in the project %s it is version %s', g.project, g.version)
)
from (values ('shop', '1.0'), ('bank', '2.0')) as g (project, version);
select throws_ok($$select * from api.lookup_symbols('acme', 'parcel', project => 'lab')$$, 'QM404', null, 'a project of others is not found');
select * from finish();
rollback;
