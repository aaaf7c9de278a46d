begin;
select plan(3);

select t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select t.make_evaluation('first', '{"q1": 1}'), t.make_evaluation('second', '{"q1": 1}');
select results_eq($$select e.label from api.list_evaluations() as e$$, array['second', 'first'], 'the newest first');
select results_eq(
    $$select e.principal, e.mode, e.model, e.catalog_hash, e.settings ->> 'lexical' from api.list_evaluations(1) as e$$,
    $$values ('op', 'balanced', 'a-model', encode(sha256('tools'), 'hex'), '48')$$, 'who ran what over which catalog'
);
select is((select count(*) from api.list_evaluations(1) as e), 1::bigint, 'as many as were asked for');

select * from finish();
rollback;
