begin;
select plan(4);

select throws_ok($$select search.put_kind('odd', 'odd', p_card_function => 'catalog.no_card')$$, 'QM422', null, 'there is no such function');
select is_empty($$select from search.kind as k where k.name = 'odd'$$, 'and so no such kind');
select throws_ok($$select search.put_kind('odd', 'odd', p_not_found => 'no_such_error')$$, 'QM422', null, 'nor an error of that name');
select lives_ok($$select search.put_kind('even', 'even', p_texts_function => 'search.document')$$, 'one that is there');

select * from finish();
rollback;
