begin;
select plan(4);

select t.make_catalog(), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.put_model('m', 2);
select throws_ok($$select api.store_embeddings('m', '{tool,tool}', array[sha256('a'), sha256('b')], '{"[1,0]","[1,0,0]"}')$$, 'QM422', null, 'one of another dimension');
select throws_ok($$select api.store_embeddings('m', '{tool}', array[sha256('a')], '{"[1,oops]"}')$$, '22P02', null, 'one that is no vector');
select throws_ok($$select api.store_embeddings('x', '{tool}', array[sha256('a')], '{"[1,0]"}')$$, 'QM404', null, 'an unknown model');
select t.act_as_superuser();
select is((select count(*) from search.embedding as e), 0::bigint, 'nothing was stored');

select * from finish();
rollback;
