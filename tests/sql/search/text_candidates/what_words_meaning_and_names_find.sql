begin;
select plan(4);

select t.make_kind('memo');
select t.make_card('memo', 1, 'clock', 'clock', '', 'tells the hour'), t.make_card('memo', 2, 'lamp', 'lamp', '', 'gives light'), t.make_card('memo', 3, 'bell', 'bell', '', 'rings');
select search.put_model('test-3', 3, true), t.embed_cards('memo', 'test-3');
create temporary view found as
select g.name as goal, t.ref_of(c.card_id) as ref, c.sources, c.lexical > 0 as has_words, round(c.dense::numeric, 2) as dense, cardinality(c.features) as features
from (values ('all', 5, 1, 5, '{"[0,1,0]"}'::ext.vector[]), ('words', 5, 0, 0, '{"[0,1,0]"}'), ('no vector', 5, 5, 0, null)) as g (name, lexical, dense, fuzzy, vectors)
cross join lateral search.text_candidates(('memo', 'hour of the clock', g.vectors, g.lexical, g.dense, g.fuzzy, 40, null)::search.goal) as c;
select results_eq(
    $$select f.ref, f.sources, f.has_words, f.dense from found as f where f.goal = 'all' order by 1$$,
    $$values (1::bigint, '{fuzzy,lexical}'::text[], true, 0.00), (2, '{dense}', false, 1.00)$$, 'each with what found it, and compared in all ways'
);
select results_eq($$select f.ref, f.sources from found as f where f.goal = 'words'$$, $$values (1::bigint, '{lexical}'::text[])$$, 'only as it is asked');
select results_eq($$select f.ref, f.sources from found as f where f.goal = 'no vector'$$, $$values (1::bigint, '{lexical}'::text[])$$, 'without a vector nothing is found by meaning');
select set_eq('select f.features from found as f', array[cardinality(search.feature_names('memo'))], 'with all its features');

select * from finish();
rollback;
