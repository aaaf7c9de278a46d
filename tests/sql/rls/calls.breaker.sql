begin;
select plan(12);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select calls.open_breaker(o.id, 'it failed') from catalog.origin as o;
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "origins": "tracker"}]}');
create temporary table untouched as select * from calls.breaker;
select policies_are('calls', 'breaker', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select o.name from calls.breaker as b inner join catalog.origin as o on o.id = b.origin_id$$, array['time'], 'sees exactly what it may');
select throws_ok($$update calls.breaker set because = because$$, '42501', null, 'may not change');
select throws_ok($$insert into calls.breaker default values$$, '42501', null, 'may not add');
select throws_ok($$delete from calls.breaker$$, '42501', null, 'may not delete');
select throws_ok($$truncate calls.breaker$$, '42501', null, 'may not empty');
select throws_ok($$select calls.close_breaker(1)$$, '42501', null, 'nor call what writes it');
select t.act_as(null);
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select * from calls.breaker as x$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from calls.breaker as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'calls.breaker'::regclass;

select * from finish();
rollback;
