begin;
select plan(4);

select t.make_catalog();
select is_empty($$select * from search.bm25('tool', 'zyzzyva', 10)$$, 'an unknown word');
select is_empty($$select * from search.bm25('tool', 'the of', 10)$$, 'stop words');
select is_empty($$select * from search.bm25('tool', 'ticket', 0)$$, 'nothing asked for');
select is_empty($$select * from search.bm25('no_such_kind', 'ticket', 10)$$, 'a kind that is not there');

select * from finish();
rollback;
