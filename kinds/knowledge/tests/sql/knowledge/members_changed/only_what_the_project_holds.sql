begin;
select plan(7);
select t.make_principal('bob'), t.make_principal('carol');
select t.make_project('shop', 'alice'), t.make_project('desk', 'alice');
select t.make_library('shop', 'acme'), t.make_library('shop', 'both'), t.make_library('desk', 'both'), t.make_library('desk', 'other');
select t.make_library('desk', 'more' || n) from generate_series(1, 20) as n;

-- Each row that somebody tries to add to an audience is counted, also those that are there.
create temporary table touched (audience_id integer, principal_id bigint) on commit drop;
create function pg_temp.note() returns trigger language plpgsql as $$
begin
    insert into touched values (new.audience_id, new.principal_id);
    return new;
end
$$;
create trigger noted before insert on policy.audience_member for each row execute function pg_temp.note();
grant insert on touched to public;

create function pg_temp.seen_by(p_name text) returns text[] language sql as $$
    select array_agg(d.name order by d.name)
    from knowledge.distribution as d
    inner join policy.audience_member as a on a.audience_id = d.audience_id
    inner join policy.principal as p on p.id = a.principal_id and p.name = p_name
$$;

insert into projects.member (project_id, principal_id, role)
select j.id, p.id, 'member' from projects.project as j cross join policy.principal as p
where j.name = 'shop' and p.name in ('bob', 'carol');
select is(pg_temp.seen_by('bob'), '{acme,both}'::text[], 'a new member sees what the project holds');
select is(
    (select count(*) from touched), 6::bigint,
    'two members were added to the audiences of the project and its two libraries; the others were left alone'
);

update projects.member as m set role = 'owner' from policy.principal as p where p.id = m.principal_id and p.name = 'bob';
select is(pg_temp.seen_by('bob'), '{acme,both}'::text[], 'an owner sees what a member sees');
update projects.member as m
set project_id = j.id
from projects.project as j, policy.principal as p
where j.name = 'desk' and p.id = m.principal_id and p.name = 'bob';
select is(cardinality(pg_temp.seen_by('bob')), 22, 'who moves to another project sees what this one holds');
select ok(not 'acme' = any(pg_temp.seen_by('bob')), 'and not what the other one holds');

delete from projects.member as m using policy.principal as p where p.id = m.principal_id and p.name = 'carol';
select is(pg_temp.seen_by('carol'), null, 'who is no member any more sees nothing of it');
select is(pg_temp.seen_by('alice') @> '{acme,both,other}', true, 'others still do');
select * from finish();
rollback;
