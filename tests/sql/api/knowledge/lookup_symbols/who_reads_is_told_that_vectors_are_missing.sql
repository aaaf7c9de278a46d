begin;
select plan(7);
select t.make_principal('boss', 'admin');
select t.make_project('shop', 'alice');
select t.make_library('shop', 'acme');
update search.model set active = false;

select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.cards, s.waiting from api.lookup_symbols('acme', 'parcel', query_vector => '[1, 0, 0, 0]') as s$$, $$values (null::bigint, null::bigint)$$,
    'without a model, nothing is computed'
);
select t.act_as_superuser();
select search.put_model('test-4', 4, true);
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.cards, s.waiting from api.lookup_symbols('acme', 'parcel', query_vector => '[1, 0, 0, 0]') as s$$, $$values (1::bigint, 1::bigint)$$,
    'an object that was found waits for its vector'
);
select results_eq(
    $$select s.cards, s.waiting from api.lookup_symbols('acme', 'parcel') as s$$, $$values (null::bigint, null::bigint)$$,
    'a topic without a vector is not compared with any'
);
select results_eq(
    $$select s.cards, s.waiting from api.lookup_symbols('acme', 'acme.send', query_vector => '[1, 0, 0, 0]') as s$$, $$values (null::bigint, null::bigint)$$,
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
    $$select s.cards, s.waiting from api.lookup_symbols('acme', 'parcel', query_vector => '[1, 0, 0, 0]') as s$$, $$values (null::bigint, null::bigint)$$,
    'with all vectors, there is nothing to tell'
);
select t.act_as_superuser();
insert into knowledge.symbol overriding system value
select (jsonb_populate_record(s, '{"id": 1000001, "path": "acme.weigh"}')).* from knowledge.symbol as s;
select search.put_cards(
    'symbol', '[{"ref": 1000001, "name": "acme.weigh", "fields": ["weigh", "Says how heavy it is.", "", ""], "embedding_text": "weigh"}]'
);
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.name, s.cards, s.waiting from api.lookup_symbols('acme', 'parcel', 1, '[1, 0, 0, 0]') as s$$, $$values ('acme.send', 2::bigint, 1::bigint)$$,
    'an object that was not found may wait, too'
);
select * from finish();
rollback;
