begin;
select plan(3);

select t.make_principal('boss', 'admin'), policy.put_principal('cora', 'person', 'user');
update policy.principal set curates_decisions = true where name = 'cora';
select t.read_as('cora');
select is(policy.curates_decisions(), true, 'a person who was appointed');
select t.read_as('boss', 'qm_admin');
select is(policy.curates_decisions(), false, 'not an administrator');
select t.read_as(null);
select is(policy.curates_decisions(), false, 'not nobody');

select * from finish();
rollback;
