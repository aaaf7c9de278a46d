begin;
select plan(2);

select t.make_kind('other');
select search.put_model('test-4', 4, true);
select throws_ok($$select * from search.dense('other', '[1, 0]', 5, 40)$$, 'QM422', null, 'two dimensions for a model of four');
select is_empty($$select * from search.dense('other', null, 5, 40)$$, 'no vector finds nothing');

select * from finish();
rollback;
