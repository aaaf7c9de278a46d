begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
insert into calls.call (principal_id, instance_id, request_id, tool_id, tool_version, argument_bytes)
select p.id, gen_random_uuid(), 'r', t.id, 1, 0 from policy.principal as p cross join catalog.item as t where p.name = 'op' and t.name = 'convert_time';
insert into calls.probe (call_id, tool_id, tool_version, example, is_honest, probed_at) select c.id, c.tool_id, 1, 0, true, now() from calls.call as c;
create temporary table untouched as select * from calls.probe;
select policies_are('calls', 'probe', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select results_eq($$select count(*) from calls.probe as x$$, $$values (1::bigint)$$, 'sees exactly what it may');
select throws_ok($$update calls.probe set problem = problem$$, '42501', null, 'may not change');
select throws_ok($$insert into calls.probe default values$$, '42501', null, 'may not add');
select throws_ok($$delete from calls.probe$$, '42501', null, 'may not delete');
select throws_ok($$truncate calls.probe$$, '42501', null, 'may not empty');
select t.act_as('alice');
select throws_ok($$select * from calls.probe$$, '42501', null, 'a user may not read it at all');
select throws_ok($$select * from api.store_probe(1, 0, true)$$, '42501', null, 'nor call what writes it');
select t.act_as(null, 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator without a principal');
select is_empty($$select * from calls.probe as x$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from calls.probe as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'calls.probe'::regclass;

select * from finish();
rollback;
