begin;
select plan(3);

select t.make_principal('alice'), t.make_principal('bob'), api.put_organisation('acme');
update policy.principal as p set organisation_id = o.id from policy.organisation as o where p.name = 'bob';
select t.read_as('bob', 'qm_user');
select isnt(policy.organisation_id(), null, 'of bob');
select t.read_as('alice', 'qm_user');
select is(policy.organisation_id(), null, 'alice has none');
select t.act_as_superuser();
select is(policy.organisation_id(), null, 'nor has a session of nobody');

select * from finish();
rollback;
