begin;
select plan(14);

select search.put_feature_set('letters', 'Letters', 'search.text_candidates', '{a,b}');
select t.make_kind('memo');
update search.kind as k set feature_set = 'letters' where k.name = 'memo';
create temporary view learned as
select w.profile, w.score::text as score, w.large::text as large, w.confidence::text as confidence, w.has_confidence
from search.profile_weights as w
where w.kind = 'memo';

select is_empty('select * from learned', 'nothing was learned');
insert into search.coefficient (kind, profile, part, feature, weight)
values ('memo', 'm', 'score', 'intercept', -1), ('memo', 'm', 'score', 'b', 2), ('memo', 'n', 'confidence', 'odds', 3);
select is((select l.score from learned as l where l.profile = 'm'), '[-1,0,2]', 'the intercept, then the features in order');
select is((select l.large from learned as l where l.profile = 'm'), null, 'nothing for large catalogs');
select ok(not l.has_confidence, 'nor a confidence') from learned as l where l.profile = 'm';
select is(l.confidence, '[3,0,0,0,0,0,0,0,0,0]', 'the place, the intercept, the features') from learned as l where l.profile = 'n';
select ok(l.has_confidence, 'a confidence') from learned as l where l.profile = 'n';
select is(l.score, '[0,0,0]', 'what was not learned weighs nothing') from learned as l where l.profile = 'n';

update search.coefficient as c set weight = 5 where c.profile = 'm' and c.feature = 'b';
select is((select l.score from learned as l where l.profile = 'm'), '[-1,0,5]', 'a weight that changes');
select search.put_coefficients('memo', 'm', '{"score": {"a": 4}, "large": {"b": 7}}');
select results_eq($$select l.score, l.large from learned as l where l.profile = 'm'$$, $$values ('[0,4,0]', '[0,0,7]')$$, 'new weights replace the old ones');
select search.put_feature_set('letters', 'Letters', 'search.text_candidates', '{b,c,a}');
select results_eq($$select l.score, l.large from learned as l where l.profile = 'm'$$, $$values ('[0,0,0,4]', '[0,7,0,0]')$$, 'the features have another order');
select search.put_feature_set('letters', 'Letters', 'search.text_candidates', '{c}');
select results_eq('select l.profile from learned as l', array['n'], 'weights of features that are gone');
select search.put_feature_set('numbers', 'Numbers', 'search.text_candidates', '{b}');
update search.kind as k set feature_set = 'numbers' where k.name = 'memo';
select is((select l.large from learned as l where l.profile = 'm'), '[0,7]', 'the kind has other features');
delete from search.coefficient as c where c.kind = 'memo' and c.profile = 'm';
select results_eq('select l.profile from learned as l', array['n'], 'weights that are gone leave nothing behind');
truncate search.coefficient;
select is_empty('select * from search.profile_weights', 'nor do all of them');

select * from finish();
rollback;
