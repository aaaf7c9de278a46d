begin;
select plan(7);

select t.make_principal('op', 'operator'), t.make_principal('alice');
select t.read_as('op', 'qm_operator');
select isnt(t.make_evaluation('first', '{"q1": 1, "q2": 0.5}'), null, 'a run is kept');
select is((select e.queries from stats.evaluation as e), 2, 'with the number of its queries');
select results_eq($$select q.metrics ->> 'MRR' from stats.evaluation_query as q order by q.query$$, array['1', '0.5'], 'and each of them');
select throws_ok($$select t.make_evaluation('empty', '{}')$$, 'QM422', null, 'a run without queries is refused');
select throws_ok($$select t.make_evaluation('', '{"q1": 1}')$$, 'QM422', null, 'so is one without a label');
select is((select count(*) from stats.evaluation as e), 1::bigint, 'nothing of those is kept');
select t.read_as('alice');
select throws_ok($$select t.make_evaluation('hers', '{"q1": 1}')$$, '42501', null, 'users keep none');

select * from finish();
rollback;
