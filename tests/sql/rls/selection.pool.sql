begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('alice');
select count(*) from api.select_tools('ticket');
select t.act_as_superuser();
create temporary table untouched as select * from selection.pool;
select policies_are('selection', 'pool', array['owner_all']::name [], 'this policy and no other');
select isnt_empty($$select * from untouched$$, 'there is something to see');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from selection.pool$$, '42501', null, 'users do not read');
select throws_ok($$update selection.pool set cards = cards$$, '42501', null, 'may not change');
select throws_ok($$insert into selection.pool (key) values ('x')$$, '42501', null, 'may not add');
select throws_ok($$delete from selection.pool$$, '42501', null, 'may not delete');
select throws_ok($$truncate selection.pool$$, '42501', null, 'may not empty');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select * from selection.pool$$, '42501', null, 'nor do administrators');
select throws_ok($$delete from selection.pool$$, '42501', null, 'or delete');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from selection.pool as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'selection.pool'::regclass;

select * from finish();
rollback;
