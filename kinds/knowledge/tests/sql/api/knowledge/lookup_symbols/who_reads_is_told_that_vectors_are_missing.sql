begin;
select plan(8);
select t.make_principal('boss', 'admin');
select t.make_project('shop', 'alice');
select t.make_library('shop', 'acme');
update search.model set active = false;

select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.waiting from api.lookup_symbols('acme', 'parcel', query_vector => '[1, 0, 0, 0]') as s$$, $$values (0::bigint)$$,
    'without a model, nothing is computed'
);
select t.act_as_superuser();
select search.put_model('test-4', 4, true);
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.waiting from api.lookup_symbols('acme', 'parcel', query_vector => '[1, 0, 0, 0]') as s$$, $$values (1::bigint)$$,
    'an object that was found waits for its vector'
);
select results_eq(
    $$select s.waiting from api.lookup_symbols('acme', 'parcel') as s$$, $$values (0::bigint)$$,
    'a topic without a vector is not compared with any'
);
select results_eq(
    $$select s.waiting from api.lookup_symbols('acme', 'acme.send', query_vector => '[1, 0, 0, 0]') as s$$, $$values (0::bigint)$$,
    'a name is found without vectors'
);
select results_eq(
    $$select s.waiting from api.lookup_symbols('acme') as s$$, $$values (0::bigint)$$,
    'and so are the most important objects'
);
select t.act_as_superuser();
select search.store_embeddings('test-4', array[c.kind], array[c.text_hash], array['[1, 0, 0, 0]']) from search.card as c where c.kind = 'symbol';
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.waiting from api.lookup_symbols('acme', 'parcel', query_vector => '[1, 0, 0, 0]') as s$$, $$values (0::bigint)$$,
    'with all vectors, there is nothing to tell'
);
select t.act_as_superuser();
insert into knowledge.symbol (id, distribution_id, path, kind, signature, file, line, passage, parameters, deprecated, is_async, is_public, priors)
overriding system value
select 1000001, s.distribution_id, 'acme.weigh', s.kind, s.signature, s.file, s.line, s.passage, s.parameters, s.deprecated, s.is_async, s.is_public, s.priors
from knowledge.symbol as s;
select search.put_cards(
    'symbol', '[{"ref": 1000001, "name": "acme.weigh", "fields": ["weigh", "Says how heavy it is.", "", ""], "embedding_text": "weigh"}]'
);
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.name, s.waiting from api.lookup_symbols('acme', 'parcel', 1, '[1, 0, 0, 0]') as s$$, $$values ('acme.send', 1::bigint)$$,
    'an object that was not found may wait, too'
);
select t.act_as_superuser();
create temp table further as select 2000000 + n as id, 'acme.f' || n as path from generate_series(1, 1100) as n;
insert into knowledge.symbol (id, distribution_id, path, kind, signature, file, line, passage, parameters, deprecated, is_async, is_public, priors)
overriding system value
select f.id, s.distribution_id, f.path, s.kind, s.signature, s.file, s.line, s.passage, s.parameters, s.deprecated, s.is_async, s.is_public, s.priors
from knowledge.symbol as s cross join further as f where s.path = 'acme.weigh';
select search.put_cards('symbol', jsonb_agg(jsonb_build_object('ref', f.id, 'name', f.path, 'fields', '["", "", "", ""]'::jsonb, 'embedding_text', f.path)))
from further as f;
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.waiting from api.lookup_symbols('acme', 'parcel', 1, '[1, 0, 0, 0]') as s$$, $$values (1000::bigint)$$,
    'of many, only so many are counted'
);
select * from finish();
rollback;
