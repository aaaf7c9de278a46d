begin;
select plan(5);
select t.make_principal('boss', 'admin');
select t.make_project('shop', 'alice');
select t.make_library('shop', 'acme');
update search.model set active = false;

select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.cards, s.waiting from api.lookup_symbols('acme', 'parcel') as s$$, $$values (null::bigint, null::bigint)$$,
    'without a model, nothing is computed'
);
select t.act_as_superuser();
select search.put_model('test-4', 4, true);
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.cards, s.waiting from api.lookup_symbols('acme', 'parcel') as s$$, $$values (1::bigint, 1::bigint)$$,
    'an object that was found waits for its vector'
);
select results_eq(
    $$select s.cards, s.waiting from api.lookup_symbols('acme', 'acme.send') as s$$, $$values (null::bigint, null::bigint)$$,
    'a name is found without vectors'
);
select results_eq(
    $$select s.cards, s.waiting from api.lookup_symbols('acme') as s$$, $$values (null::bigint, null::bigint)$$,
    'and so are the most important objects'
);
select t.act_as_superuser();
select search.store_embeddings('test-4', array[c.kind], array[c.text_hash], array['[1, 0, 0, 0]']) from search.card as c where c.kind = 'symbol';
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.cards, s.waiting from api.lookup_symbols('acme', 'parcel') as s$$, $$values (null::bigint, null::bigint)$$,
    'with all vectors, there is nothing to tell'
);
select * from finish();
rollback;
