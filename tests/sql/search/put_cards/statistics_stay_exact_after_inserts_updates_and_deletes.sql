begin;
select plan(7);

select t.make_kind('counted');
select t.make_corpus('counted', 60, 80, 0.1);
select is_empty($$select * from t.wrong_statistics('counted')$$, 'after inserting');
select t.make_corpus('counted', 40, 200, 0.2);
select is_empty($$select * from t.wrong_statistics('counted')$$, 'after replacing most of them');
select is(search.remove_cards('counted', array(select n from generate_series(1, 60, 3) as n)), 20, 'twenty are removed');
select is_empty($$select * from t.wrong_statistics('counted')$$, 'after deleting');
select t.make_corpus('counted', 90, 100, 0.3);
select is_empty($$select * from t.wrong_statistics('counted')$$, 'after inserting again');
select search.remove_cards('counted', array(select c.ref from search.card as c where c.kind = 'counted'));
select is_empty($$select * from t.wrong_statistics('counted')$$, 'when all are gone');
select is((select k.total_length from search.kind as k where k.name = 'counted'), 0::double precision, 'no length is left over');

select * from finish();
rollback;
