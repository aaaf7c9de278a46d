begin;
select plan(5);

select t.make_assets(), t.make_principal('alice'), t.make_principal('op', 'operator');
select catalog.put_assets(catalog.origin_id('first'), 'prompt', '[{"name": "greet", "title": "Hello", "icons": [{"src": "x"}]}]');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from api.diff_asset('first__greet')$$, '42501', null, 'not for users');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.diff_asset('nobody__greet')$$, 'QM404', null, 'nothing of this name');
select results_eq(
    $$select d.version_before, d.version_after, d.member, d.before, d.after from api.diff_asset('first__greet') as d$$,
    $$values (1, 2, 'title', null, 'Hello')$$, 'what somebody has to look at'
);
select results_eq(
    $$select d.version_before, d.member, d.after from api.diff_asset('memo://page/{number}') as d$$,
    $$values (0, 'name', 'page'), (0, 'uriTemplate', 'memo://page/{number}')$$, 'of a new one everything'
);
select t.act_as_superuser();
update catalog.asset set public_name = 'memo://plan' where kind = 'resource_template';
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.diff_asset('memo://plan')$$, 'QM409', null, 'several kinds have the name');

select * from finish();
rollback;
