begin;
select plan(3);

select throws_ok($$select t.put_tools('{}')$$, 'QM422', null, 'an object');
select throws_ok($$select t.put_tools(null)$$, 'QM422', null, 'null');
select is_empty($$select * from t.put_tools('[]')$$, 'an empty one does nothing');

select * from finish();
rollback;
