begin;
select plan(3);

select api.put_organisation('acme'), api.put_organisation('other');
select policy.put_principal('bob', 'agent', 'user', null, 'acme'), policy.put_principal('bob', 'agent', 'operator');
create function pg_temp.organisation() returns text language sql as $$
    select o.name from policy.principal as p inner join policy.organisation as o on o.id = p.organisation_id where p.name = 'bob';
$$;
select is(pg_temp.organisation(), 'acme', 'renewed without one');
select policy.put_principal('bob', 'agent', 'user', null, 'other');
select is(pg_temp.organisation(), 'other', 'and with one');
select throws_ok($$select policy.put_principal('bob', 'agent', 'user', null, 'none')$$, 'QM404', null, 'one that is not there');

select * from finish();
rollback;
