begin;
select plan(9);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
insert into calls.probe_turn (tool_id, probed_at) select i.id, now() from catalog.item as i where i.name = 'convert_time';
create temporary table untouched as select * from calls.probe_turn;
select policies_are('calls', 'probe_turn', array['owner_all']::name [], 'this policy and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select throws_ok($$select * from calls.probe_turn$$, '42501', null, 'may not read');
select throws_ok($$update calls.probe_turn set probed_at = probed_at$$, '42501', null, 'may not change');
select throws_ok($$insert into calls.probe_turn default values$$, '42501', null, 'may not add');
select throws_ok($$delete from calls.probe_turn$$, '42501', null, 'may not delete');
select t.act_as('alice');
select throws_ok($$select * from api.claim_probes()$$, '42501', null, 'a user may not call what writes it');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from calls.probe_turn as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'calls.probe_turn'::regclass;

select * from finish();
rollback;
