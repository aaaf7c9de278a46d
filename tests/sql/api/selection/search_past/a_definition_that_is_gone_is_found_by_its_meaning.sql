begin;
select plan(4);

select search.put_model('test-8', 8, true), t.make_principal('alice');
select t.at('2026-11-10 00:00+00');
select t.make_origin('o');
select t.make_tool('o', 'old', 'Counts zebras.'), t.make_tool('o', 'same', 'Feeds zebras.');
select t.embed_cards('tool', 'test-8');
select t.at('2026-11-12 00:00+00');
select t.make_tool('o', 'old', 'Counts horses.');
-- As many as dense search may be asked for, and more, all nearer.
select t.put_tools(
    (select jsonb_agg(jsonb_build_object('origin', 'o', 'name', 'newer' || i, 'description', 'Number ' || i)) from generate_series(1, 450) as i)
);
select search.store_embeddings('test-8', array_agg('tool'::text), array_agg(c.text_hash), array_agg(t.unit_vector(8, 1)::text))
from search.card as c
where c.kind = 'tool';
select t.act_as('alice');
select results_eq(
    $$select x.name, x.brief, x.scores -> 'sources' from api.search_past('animals', '2026-11-11 00:00+00', query_vector => t.unit_vector(8, 1), top => 1) as x$$,
    $$values ('o__old', 'Counts zebras.', '["dense"]'::jsonb)$$, 'by the vector of its text'
);
select is_empty($$select * from api.search_past('animals', '2026-11-11 00:00+00', query_vector => t.unit_vector(8, 1)) as x where x.name like '%newer%'$$, 'what came later is not');
select lives_ok($$select * from api.search_past('animals', '2026-11-11 00:00+00', mode => 'thorough', query_vector => t.unit_vector(8, 1))$$, 'in every mode');
select throws_ok($$select * from api.search_past('animals', '2026-11-11 00:00+00', query_vector => t.unit_vector(3, 1))$$, 'QM422', null, 'of the right dimension');

select * from finish();
rollback;
