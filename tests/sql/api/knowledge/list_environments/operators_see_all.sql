begin;
select plan(4);
select t.make_principal('op', 'operator'), t.make_principal('eve');
select t.make_project('shop', 'alice');
select t.act_as('alice', 'qm_operator');
select api.put_environment('/srv/shop', '{}', 'shop', true, 'as it was');
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select folder, project, state, indexed_by from api.list_environments()$$, $$values ('/srv/shop', 'alice/shop', 'as it was', 'alice')$$,
    'a member of the project sees it'
);
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select project, indexed_by from api.list_environments()$$, $$values ('alice/shop', 'alice')$$, 'an operator sees it, to keep it up to date'
);
select t.act_as('eve', 'qm_user');
select is_empty($$select from api.list_environments()$$, 'others do not');
select t.act_as('alice', 'qm_operator');
select api.put_environment('/srv/shop', '{}', 'shop', false, 'another');
select is((select e.state from api.list_environments() as e), 'as it was', 'the state is that of the last complete reading');
select * from finish();
rollback;
