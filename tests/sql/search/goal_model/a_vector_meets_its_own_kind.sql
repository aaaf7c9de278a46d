begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice');
delete from search.coefficient;
select search.put_model('old', 8, true), t.embed_cards('tool', 'old');
select search.put_model('new', 8, false);
-- The same cards on other axes: a vector of one model is nearest to another card in the other model.
insert into search.embedding (model_id, kind, text_hash, vector)
select n.id, e.kind, e.text_hash, ((e.vector::real[])[2:8] || (e.vector::real[])[1])::ext.vector
from search.embedding as e
inner join search.model as o on o.id = e.model_id and o.name = 'old'
cross join search.model as n
where n.name = 'new';
insert into search.coefficient (kind, profile, part, feature, weight)
values
('tool', 'old', 'score', 'intercept', 0), ('tool', 'old', 'score', 'dense', 1),
('tool', 'new', 'score', 'intercept', 5), ('tool', 'new', 'score', 'dense', 1);
create temporary view found as
select s.card_id, s.dense, s.score from search.search('tool', 'zyzzyva', t.unit_vector(8, 3), 0, 1, 0, 40, '{1, 1, 0}', 'learned') as s;
create temporary table before as select * from found;

select is((select f.dense from before as f), 1::real, 'the goal means exactly this card');
select is((select round(f.score::numeric, 3) from before as f), 0.731, 'scored as the old model has learned: 1 / (1 + exp(-1))');
select is((search.goal_model()).name, 'old', 'the active model');

update search.model as m set active = false where m.active;
update search.model as m set active = true where m.name = 'new';
select is((search.goal_model()).name, 'new', 'the active model again');
select isnt((select f.card_id from found as f), (select b.card_id from before as b), 'a vector of the old model without its name meets another card');

select set_config('qm.goal_model', 'old', true);
select results_eq('select * from found', 'select * from before', 'with the name it meets its own card, and the old coefficients score it');
select is(
    search.explain_score('tool', array_fill(1::real, '{12}'), '{1, 1, 1}') #>> '{dense,share}', '1.0000', 'and explain it'
);
select is(cardinality(search.split_vector((t.unit_vector(8, 1)::real[] || t.unit_vector(8, 2)::real[])::ext.vector)), 2, 'sentences, too');
select set_config('qm.goal_model', 'gone', true);
select is((search.goal_model()).id, null, 'a model that was dropped has no vectors');
select is_empty('select * from found', 'and nothing is near');
select set_config('qm.goal_model', '', true);
select t.read_as('alice');
select is((search.goal_model()).name, 'new', 'everybody may know');

select * from finish();
rollback;
