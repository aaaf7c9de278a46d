begin;
select plan(5);

select t.make_principal('alice'), t.act_as('alice');
select throws_ok($$ select api.rerank('goal', array['a']) $$, 'QM501', null, 'nothing is known of a reranker');
select t.act_as_superuser();
select core.report_capability('rerank', false, 'reranking from psql', 'the service', 'no model is set');
select t.act_as('alice');
select throws_ok($$ select api.rerank('goal', array['a']) $$, 'QM501', null, 'there is none');
select throws_ok($$ select api.rerank('goal', array[array['a']]) $$, 'QM422', null, 'a table is no list');
select is(api.rerank(null, array['a']), null, 'no query, no scores');
select t.act_as(null);
select throws_ok($$ select api.rerank('goal', array['a']) $$, 'QM403', null, 'nobody may ask');

select * from finish();
rollback;
