begin;
select plan(7);

select t.make_principal('root', 'admin'), t.make_principal('op', 'operator');
select t.make_project('shop', 'alice'), t.make_project('mill', 'root'), t.make_project('bare', 'root');
select t.make_decisions('shop', t.candidate('Print nothing.')) as id, t.make_decisions('mill', t.candidate('Print nothing.', '{"valid_from": "abcdef1"}'), t.candidate('Log all.')) as mill;
update policy.principal set role = 'admin' where name = 'root';
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select * from service.projects_to_refresh()$$, $$values ('root/mill'::text, '/srv/mill'::text, 'root'::text, '{"",abcdef1}'::text[])$$,
    'a project with decisions that an administrator added'
);
select t.act_as('root', 'qm_admin');
select lives_ok(
    $$select api.report_decision_health((select jsonb_agg(jsonb_build_object('decision', f -> 'id', 'health', 'fresh')) from api.find_decisions('mill') as f), 'abcdef2', 'mill')$$,
    'it is compared'
);
select t.act_as('op', 'qm_operator');
select results_eq($$select commits from service.projects_to_refresh()$$, $$values ('{abcdef2}'::text[])$$, 'and is known by that commit from then on');
select t.log_in('cora');
select lives_ok($$select api.reject_decisions(array(select (f -> 'id')::bigint from api.find_decisions('mill') as f), project => 'mill')$$, 'when all are rejected');
select t.act_as('op', 'qm_operator');
select is_empty($$select service.projects_to_refresh()$$, 'nothing is left to compare');
select t.act_as('alice', 'qm_user');
select throws_ok($$select service.projects_to_refresh()$$, '42501', null, 'a member does not ask this');
select t.log_in('root');
select throws_ok($$select service.projects_to_refresh()$$, 'QM403', null, 'nor does an administrator who logs in');

select * from finish();
rollback;
