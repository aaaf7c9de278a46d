begin;
select plan(2);

select t.make_principal('alice');
select t.read_as('alice');
select isnt(policy.principal_id(), null::bigint, 'enabled');
select t.act_as_superuser();
update policy.principal set enabled = false where name = 'alice';
select t.read_as('alice');
select is(policy.principal_id(), null::bigint, 'disabled');

select * from finish();
rollback;
