begin;
select plan(11);

select t.make_principal('bot'), policy.put_principal('cora', 'person', 'user'), policy.put_principal('daemon', 'service', 'operator'), t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.appoint_curator('cora', curates => 'decisions')$$, '42501', null, 'an operator appoints nobody');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.appoint_curator('bot', curates => 'decisions')$$, 'QM422', null, 'an agent is never appointed');
select throws_ok($$select api.appoint_curator('daemon', curates => 'decisions')$$, 'QM422', null, 'nor a service');
select throws_ok($$select api.appoint_curator('boss', curates => 'decisions')$$, 'QM422', null, 'whatever its role');
select throws_ok($$select api.appoint_curator('cora', curates => 'everything')$$, 'QM422', null, 'there are two things to curate');
select lives_ok($$select api.appoint_curator('cora', curates => 'decisions')$$, 'a person is');
select results_eq($$select p.is_curator, p.curates_decisions from api.list_principals() as p where p.name = 'cora'$$, $$values (false, true)$$, 'of decisions only');
select t.read_as('cora');
select is(policy.curates_decisions(), true, 'who was appointed has it');
select t.act_as_superuser();
select throws_ok($$update policy.principal set curates_decisions = true where name = 'bot'$$, '23514', null, 'not even the owner of the database appoints an agent');
select policy.put_principal('cora', 'agent', 'user');
select is((select p.curates_decisions from policy.principal as p where p.name = 'cora'), false, 'a person who becomes an agent loses it');
select t.act_as('boss', 'qm_admin');
select lives_ok($$select api.appoint_curator('bot', false, 'decisions')$$, 'taking it away is always possible');

select * from finish();
rollback;
