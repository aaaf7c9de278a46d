begin;
select plan(7);

select core.report_capability('pg_search', true, 'candidates', 'our own', null);
select t.make_kind('memo'), t.make_kind('note'), search.put_model('one', 3, true);
select t.make_card('memo', 1, 'a', 'red apple'), t.make_card('memo', 2, 'b', 'green apple'), t.make_card('note', 1, 'c', 'apple');
select t.embed_cards('memo', 'one');
select is(search.remove_cards('memo', '{1,3}'), 1, 'those that are there are counted');
select results_eq($$select c.name from search.card as c where c.kind in ('memo', 'note') order by 1$$, array['b', 'c'], 'cards of another kind with this id stay');
select is_empty($$select from search.words as w where w.kind = 'memo' and w.id not in (select c.id from search.card as c)$$, 'pg_search has nothing of it');
select is_empty($$select * from t.wrong_statistics('memo')$$, 'the statistics are right');
select is((select count(*) from search.embedding as e where e.kind = 'memo'), 2::bigint, 'vectors stay, for the same text may come back');
select is(search.remove_cards('memo', '{1}'), 0, 'once');
select throws_ok($$select search.remove_cards('no_such_kind', '{1}')$$, 'QM404', null, 'a kind that is not there is refused');

select * from finish();
rollback;
