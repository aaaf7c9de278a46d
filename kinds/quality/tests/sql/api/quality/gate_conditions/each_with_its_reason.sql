begin;
select plan(5);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
select t.act_as('alice');
select results_eq(
    $$select c.metric, c.minimum, c.maximum, c.on_new_code, c.on_missing from api.gate_conditions() as c$$,
    $$values
        ('broken_decisions', null, 0::numeric, null, 'warn'), ('coverage', 75::numeric, null, null, 'fail'), ('failed_checkers', null, 0, null, 'fail'), ('high_findings', null, 0, true, 'fail'),
        ('missing_calls', null, 0, false, 'fail'), ('overall', 70, null, null, 'fail'), ('security', 7, null, null, 'fail')$$, 'those of the standard gate'
);
select is((select array_agg(c.metric) from api.gate_conditions('strict') as c where c.metric not in (select d.metric from api.gate_conditions() as d)), '{suppressions,unread_language}', 'a stricter gate has more');
select is_empty($$select * from api.gate_conditions('strict') as c where c.reason = ''$$, 'each says why');
select is_empty($$select * from api.gate_conditions('invented')$$, 'a gate that is not there has none');
select t.act_as('mallory');
select throws_ok($$select * from api.gate_conditions(project => 'shop')$$, 'QM404', null, 'only members of a project ask for them');

select * from finish();
rollback;
