begin;
select plan(6);
select t.make_principal('op', 'operator'), t.make_principal('eve'), t.make_principal('root', 'admin');
select t.make_project('shop', 'alice');
select set_config('t.read', t.make_library('shop', 'acme')::text, true);
select t.act_as('alice', 'qm_operator');
select api.put_environment('/srv/shop', array[current_setting('t.read')::bytea], 'shop', true, 'as it was');
select t.act_as('eve', 'qm_user');
select is_empty($$select from api.list_environments()$$, 'others do not');
select t.act_as('op', 'qm_operator');
select is_empty($$select from api.list_environments()$$, 'an operator does not');
select t.act_as('root', 'qm_admin');
select is_empty($$select from api.list_environments()$$, 'an administrator does not');
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select folder, project from api.list_environments()$$, $$values ('/srv/shop', 'alice/shop')$$, 'a member of the project sees it'
);
select t.act_as('alice', 'qm_operator');
select api.put_environment('/srv/shop', '{}', 'shop', false, 'another');
select api.put_environment('/srv/stopped', '{}', 'shop', false);
select is((select count(*) from api.list_environments()), 1::bigint, 'what was not read is not told');
select t.act_as_superuser();
select is((select e.state from knowledge.environment as e where e.folder = '/srv/shop'), 'as it was', 'the state is that of the last complete reading');
select * from finish();
rollback;
