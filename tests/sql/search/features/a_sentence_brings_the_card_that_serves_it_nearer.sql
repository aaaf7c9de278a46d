begin;
select plan(3);

select t.make_kind('steps');
select t.make_card('steps', 1, 'one', 'apple'), t.make_card('steps', 2, 'two', 'pear');
select search.put_model('test-4', 4, true);
select t.embed_cards('steps', 'test-4');
create temporary view nearness as
select s.sentences, t.ref_of(f.card_id) as ref, f.dense, round(f.features[array_position(search.feature_names('tool'), 'dense')]::numeric, 3) as feature
from (values ('{}'::ext.vector[]), (array[t.unit_vector(4, 1), t.unit_vector(4, 2)])) as s (sentences)
cross join lateral search.features(
    'steps', 'fruit', t.unit_vector(4, 1, 1), array(select c.id from search.card as c where c.kind = 'steps'), s.sentences
) as f;

select results_eq(
    $$select n.ref, n.feature from nearness as n where n.sentences = '{}' order by 1$$,
    $$values (1::bigint, 0.707), (2, 0.707)$$, 'without sentences: the cosine of the goal'
);
select results_eq(
    $$select n.ref, n.feature from nearness as n where n.sentences <> '{}' order by 1$$,
    $$values (1::bigint, 0.795), (2, 0.795)$$, 'each is the answer to one: 0.7 * 0.707 + 0.3'
);
select set_eq($$select round(n.dense::numeric, 3) from nearness as n$$, $$values (0.707)$$, 'what is reported is the cosine of the goal');

select * from finish();
rollback;
