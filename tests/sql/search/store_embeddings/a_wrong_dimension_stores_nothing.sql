begin;
select plan(5);

select search.put_model('test-2', 2, true);
select throws_ok(
    $$select search.store_embeddings('test-2', '{tool,tool}', array[sha256('a'), sha256('b')], '{"[1,0]","[1,0,0]"}')$$, 'QM422', null, 'three dimensions for two'
);
select is((select count(*) from search.embedding as e), 0::bigint, 'not even the right one');
select is(search.store_embeddings('test-2', '{tool,tool}', array[sha256('a'), sha256('b')], '{"[1,0]","[0,1]"}'), 2, 'both new');
select is(search.store_embeddings('test-2', '{tool,tool}', array[sha256('a'), sha256('c')], '{"[0,1]","[0,1]"}'), 1, 'one new');
select is((select e.vector::text from search.embedding as e where e.text_hash = sha256('a')), '[1,0]', 'what is there stays');

select * from finish();
rollback;
