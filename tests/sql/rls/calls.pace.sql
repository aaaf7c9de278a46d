begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
insert into calls.pace (tool_id, calls, p95_ms) select x.id, 1, 1 from catalog.item as x where x.name = 'convert_time';
create temporary table untouched as select * from calls.pace;
select policies_are('calls', 'pace', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select results_eq($$select count(*) from calls.pace as x$$, $$values (1::bigint)$$, 'sees exactly what it may');
select throws_ok($$update calls.pace set calls = calls$$, '42501', null, 'may not change');
select throws_ok($$insert into calls.pace default values$$, '42501', null, 'may not add');
select throws_ok($$delete from calls.pace$$, '42501', null, 'may not delete');
select throws_ok($$truncate calls.pace$$, '42501', null, 'may not empty');
select t.act_as('alice');
select throws_ok($$select * from calls.pace$$, '42501', null, 'a user may not read it at all');
select throws_ok($$select stats.renew_pace()$$, '42501', null, 'nor call what writes it');
select t.act_as(null, 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator without a principal');
select is_empty($$select * from calls.pace as x$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from calls.pace as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'calls.pace'::regclass;

select * from finish();
rollback;
