begin;
select plan(4);

select t.make_principal('boss', 'admin'), t.make_project('shop', 'alice', 'bob'), t.make_project('desk', 'carol');
select t.make_library('shop', 'acme'), t.make_library('desk', 'acme');
create function pg_temp.seen_by() returns text language sql as $$
    select coalesce(string_agg(p.name, ' ' order by p.name), 'everybody')
    from knowledge.distribution as d
    inner join knowledge.symbol as s on s.distribution_id = d.id
    inner join search.card as c on c.kind = 'symbol' and c.ref = s.id and c.audience_id is not distinct from d.audience_id
    left join policy.audience_member as m on m.audience_id = d.audience_id
    left join policy.principal as p on p.id = m.principal_id
$$;
delete from policy.audience_member as m using knowledge.distribution as d where m.audience_id = d.audience_id;
select knowledge.share(array(select d.id from knowledge.distribution as d), array(select p.id from policy.principal as p where p.name = 'bob'));
select is(pg_temp.seen_by(), 'bob', 'only the principals that are given are looked at');
select knowledge.share(array(select d.id from knowledge.distribution as d));
select is(pg_temp.seen_by(), 'alice bob carol', 'the members of both projects');
update knowledge.environment as e set project_id = null where e.folder = '/srv/desk';
select knowledge.share(array(select d.id from knowledge.distribution as d));
select is(pg_temp.seen_by(), 'everybody', 'an environment for everybody contains it');
select is((select count(*) from policy.audience as a where a.name ^@ 'documentation of'), 0::bigint, 'the audience is removed');

select * from finish();
rollback;
