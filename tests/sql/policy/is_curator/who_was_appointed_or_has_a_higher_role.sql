begin;
select plan(4);

select t.make_principal('alice'), t.make_principal('cora'), t.make_principal('op', 'operator');
update policy.principal set is_curator = true where name = 'cora';
select t.read_as('alice');
select is(policy.is_curator(), false, 'not a user');
select t.read_as('cora');
select is(policy.is_curator(), true, 'who was appointed');
select t.read_as('op', 'qm_operator');
select is(policy.is_curator(), true, 'an operator');
select t.read_as(null);
select is(policy.is_curator(), false, 'not nobody');

select * from finish();
rollback;
