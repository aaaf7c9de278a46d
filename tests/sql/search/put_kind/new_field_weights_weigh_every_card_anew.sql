begin;
select plan(3);

select t.make_kind('weights');
select t.make_card('weights', 1, 'one', 'alpha', '', 'beta beta');
select t.make_card('weights', 2, 'two', 'beta', '', 'alpha');
select t.make_kind('weights', '{1, 1, 4, 1}');
select is((select l.length from search.lexical as l where l.kind = 'weights' and l.ref = 1), 9::real, 'lengths are counted with them');
select is_empty($$select * from t.wrong_statistics('weights')$$, 'the statistics are right');
select is_empty(
    $$select * from search.bm25('weights', 'alpha beta', 5) as b full join t.naive_bm25('weights', 'alpha beta') as n on n.card_id = b.card_id
      where b.score is null or n.score is null or abs(b.score - n.score) > 0.001$$, 'so are the scores'
);

select * from finish();
rollback;
