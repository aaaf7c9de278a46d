begin;
select plan(7);

select t.make_principal('boss', 'admin'), t.make_principal('bob'), t.make_principal('eve');
select t.make_project('shop', 'alice', 'carol');
select t.act_as('alice', 'qm_user');
select api.put_project_member('bob');
select t.act_as_superuser();
create temporary table principal as select p.id, p.name from policy.principal as p;
grant select on principal to public;
create function pg_temp.known() returns text language sql as $$
    select string_agg(projects.principal_name(p.id), ',' order by p.name) from principal as p where p.name in ('alice', 'bob', 'carol', 'eve')
$$;
select t.read_as('carol');
select is(pg_temp.known(), 'alice,bob,carol', 'a member knows the others, and who is invited');
select t.read_as('bob');
select is(pg_temp.known(), 'alice', 'who is invited knows who invites, and no members');
select t.read_as('eve');
select is(pg_temp.known(), null, 'others know nobody');
select t.read_as('boss', 'qm_admin');
select is(pg_temp.known(), 'alice,bob,carol,eve', 'an administrator knows everybody');
select t.read_as(null);
select is(pg_temp.known(), null, 'nobody knows anybody');
select t.act_as('bob', 'qm_user');
select api.decline_project('shop');
select t.read_as('carol');
select is(pg_temp.known(), 'alice,bob,carol', 'a declined invitation stays one');
select is(projects.principal_name(-1), null, 'and a principal that is not there has no name');

select * from finish();
rollback;
