begin;
select plan(6);
select t.make_principal('boss', 'admin');
select t.make_project('shop', 'alice');
select t.make_library('shop', 'acme-post');
select t.act_as('alice', 'qm_user');
select is((select s.name from api.lookup_symbols('Acme_Post', 'parcel') as s), 'acme-post.send', 'by its name, as one may write it');
select is((select s.name from api.lookup_symbols('acmepost', 'parcel') as s), 'acme-post.send', 'by a near miss');
select results_eq(
    $$select s.name, s.score = 1 from api.lookup_symbols('acme-post', 'send') as s$$, $$values ('acme-post.send', true)$$,
    'a name comes first, and nothing is searched'
);
select is((select s.line from api.lookup_symbols('acme-post') as s), 7, 'without a topic, the most important objects');
select throws_ok($$select * from api.lookup_symbols('numpy', 'sort')$$, 'QM404', null, 'an unknown library is not found');
select throws_ok($$select * from api.lookup_symbols('acme-post', 'send', top => 0)$$, 'QM422', null, 'none cannot be asked for');
select * from finish();
rollback;
