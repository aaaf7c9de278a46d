begin;
select plan(10);

select t.make_assets(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.put_items('prompt', 'first', '[{"name": "greet", "title": "Hello"}]', false);
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from api.decide_item(null, 'first__greet', 'approved')$$, '42501', null, 'a user decides nothing');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.decide_item(null, 'nobody__greet', 'approved')$$, 'QM404', null, 'nothing of this name');
select throws_ok($$select * from api.decide_item(null, 'first__greet', 'fine')$$, 'QM422', null, 'nothing to decide');
select throws_ok($$select * from api.decide_item(null, 'first__greet', 'approved', version => 1)$$, 'QM409', null, 'it is no more what was looked at');
select results_eq(
    $$select d.was, d.because, d.current_version, d.findings from api.decide_item(null, 'first__greet', 'approved', dry_run => true) as d$$,
    $$values ('pending', 'the item changed', 2, 0::bigint)$$, 'what it is'
);
select is_empty($$select l.name from api.list_items('prompt') as l$$, 'to ask decides nothing');
select lives_ok($$select * from api.decide_item(null, 'first__greet', 'approved', version => 2, reason => 'looked at')$$, 'it is approved');
select results_eq($$select l.name from api.list_items('prompt') as l$$, array['first__greet'], 'and listed');
select t.act_as_superuser();
select is((select p.name from catalog.item_version as v inner join policy.principal as p on p.id = v.approved_by where v.version = 2), 'op', 'by whom is kept');
set constraints all immediate;
select is((select count(*) from audit.record as r where r.table_name = 'catalog.item' and r.object = 'first__greet' and r.after ->> 'status' = 'approved'), 1::bigint, 'and audited');

select * from finish();
rollback;
