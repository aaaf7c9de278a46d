begin;
select plan(2);

create temporary table model as select search.put_model('test-4', 4, false) as id;
select is(search.model_id('test-4'), m.id, 'its id') from model as m;
select throws_ok($$select search.model_id('nothing')$$, 'QM404', 'there is no embedding model called ''nothing''', 'one that is not there');

select * from finish();
rollback;
