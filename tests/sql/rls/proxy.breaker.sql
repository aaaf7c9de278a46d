begin;
select plan(12);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select proxy.open_breaker(o.id, 'it failed') from catalog.origin as o;
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "origins": "tracker"}]}');
create temporary table untouched as select * from proxy.breaker;
select policies_are('proxy', 'breaker', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select o.name from proxy.breaker as b inner join catalog.origin as o on o.id = b.origin_id$$, array['time'], 'sees exactly what it may');
select throws_ok($$update proxy.breaker set because = because$$, '42501', null, 'may not change');
select throws_ok($$insert into proxy.breaker default values$$, '42501', null, 'may not add');
select throws_ok($$delete from proxy.breaker$$, '42501', null, 'may not delete');
select throws_ok($$truncate proxy.breaker$$, '42501', null, 'may not empty');
select throws_ok($$select proxy.close_breaker(1)$$, '42501', null, 'nor call what writes it');
select t.act_as(null);
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select * from proxy.breaker as x$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from proxy.breaker as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'proxy.breaker'::regclass;

select * from finish();
rollback;
