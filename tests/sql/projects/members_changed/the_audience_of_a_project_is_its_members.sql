begin;
select plan(4);

create temporary table project as
select t.make_project('shop', 'alice') as shop, t.make_project('blog', 'alice') as blog, t.make_principal('bob') as bob, t.make_principal('eve') as eve;
create function pg_temp.audience() returns text language sql as $$
    select string_agg(p.name || ' ' || u.name, ', ' order by p.name, u.name)
    from projects.project as p
    inner join policy.audience_member as a on a.audience_id = p.audience_id
    inner join policy.principal as u on u.id = a.principal_id
$$;
insert into projects.member (project_id, principal_id, role)
select p.shop, unnest(array[p.bob, p.eve]), 'member' from project as p;
select is(pg_temp.audience(), 'blog alice, shop alice, shop bob, shop eve', 'who is added joins it');
update projects.member as m set project_id = p.blog from project as p where m.principal_id = p.bob;
select is(pg_temp.audience(), 'blog alice, blog bob, shop alice, shop eve', 'who is moved changes it');
update projects.member as m set role = 'owner' from project as p where m.principal_id = p.bob;
select is(pg_temp.audience(), 'blog alice, blog bob, shop alice, shop eve', 'a role changes nothing');
delete from projects.member as m using project as p where m.principal_id in (p.bob, p.eve);
select is(pg_temp.audience(), 'blog alice, shop alice', 'who is removed leaves it');

select * from finish();
rollback;
