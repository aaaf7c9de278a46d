begin;
select plan(1);

select t.make_catalog();
select search.put_model('idle', 4, false);
select is_empty($$select * from search.dense('tool', t.unit_vector(4, 1), 5, 40)$$, 'a model that is not active answers nothing');

select * from finish();
rollback;
