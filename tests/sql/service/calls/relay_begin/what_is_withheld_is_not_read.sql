begin;
select plan(7);

select t.make_assets(), t.make_principal('alice'), t.make_principal('op', 'operator');
update catalog.origin set transport = 'stdio', command = array['x'];
update catalog.item set status = 'quarantined' where kind = 'prompt';
update catalog.item set status = 'pending' where name = 'memo://secret/key';
update catalog.item set status = 'deprecated' where public_name = 'memo://plan';
create function pg_temp.begin(p_kind text, p_name text) returns bigint language sql as $$
    select b.call_id from service.relay_begin('x', p_kind, p_name, 2, 'r', gen_random_uuid()) as b;
$$;
select t.act_as('alice', 'qm_user');
select throws_ok($$select pg_temp.begin('prompt', 'first__greet')$$, 'QM409', null, 'in quarantine');
select throws_ok($$select pg_temp.begin('resource', 'memo://secret/key')$$, 'QM409', null, 'waits');
select throws_ok($$select pg_temp.begin('resource', 'quartermaster://first/memo://secret/key')$$, 'QM409', null, 'by its prefix, too');
select is(pg_temp.begin('resource', 'memo://plan'), null, 'what was deprecated is not there');
select is(service.may_read('memo://secret/key'), false, 'nor are updates of it told');
select is_empty($$select l.name from api.list_items('prompt') as l union all select l.name from api.list_items('resource') as l where l.name like 'memo://%'$$, 'and it is in no list');
select t.act_as('op', 'qm_operator');
select is_empty($$select l.name from api.list_items('prompt') as l$$, 'in none of an operator either');

select * from finish();
rollback;
