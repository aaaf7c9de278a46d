begin;
select plan(4);

select is(policy.put_principal('bob', 'agent', 'user'), policy.put_principal('bob', 'person', 'admin'), 'the id stays');
select results_eq($$select p.kind, p.role from policy.principal as p where p.name = 'bob'$$, $$values ('person', 'admin')$$, 'the rest is new');
select throws_ok($$select policy.put_principal('bob', 'robot', 'user')$$, '23514', null, 'an unknown kind');
select throws_ok($$select policy.put_principal('bob', 'agent', 'root')$$, '23514', null, 'an unknown role');

select * from finish();
rollback;
