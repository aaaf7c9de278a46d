begin;
select plan(5);

select t.make_assets(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.put_items('prompt', 'first', '[{"name": "greet", "title": "Hello", "icons": [{"src": "x"}]}]', false);
update catalog.item set status = 'pending', approved_version = null where public_name = 'memo://page/{number}';
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from api.diff_item(null, 'first__greet')$$, '42501', null, 'not for users');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.diff_item(null, 'nobody__greet')$$, 'QM404', null, 'nothing of this name');
select results_eq(
    $$select d.version_before, d.version_after, d.member, d.before, d.after from api.diff_item(null, 'first__greet') as d$$,
    $$values (1, 2, 'title', null, 'Hello')$$, 'what somebody has to look at'
);
select results_eq(
    $$select d.version_before, d.member, d.after from api.diff_item(null, 'memo://page/{number}') as d$$,
    $$values (0, 'name', 'page'), (0, 'uriTemplate', 'memo://page/{number}')$$, 'of a new one everything'
);
select t.act_as_superuser();
update catalog.item set public_name = 'memo://plan' where kind = 'resource_template';
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.diff_item(null, 'memo://plan')$$, 'QM409', null, 'several kinds have the name');

select * from finish();
rollback;
