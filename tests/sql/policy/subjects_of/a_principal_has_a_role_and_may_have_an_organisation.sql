begin;
select plan(3);

select api.put_organisation('acme'), policy.put_principal('alice', 'agent', 'operator', null, 'acme'), t.make_principal('bob');
select is(policy.subjects_of(p.id, 'clock'), '{everyone, role:operator, organisation:acme, principal:alice, toolset:clock}', 'all names it goes by') from policy.principal as p where p.name = 'alice';
select is(policy.subjects_of(p.id), '{everyone, role:user, null, principal:bob, null}', 'or those it has') from policy.principal as p where p.name = 'bob';
update policy.principal set enabled = false where name = 'bob';
select is(policy.subjects_of(p.id), null, 'disabled it has none') from policy.principal as p where p.name = 'bob';

select * from finish();
rollback;
