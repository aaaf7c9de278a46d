begin;
select plan(3);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
select t.act_as('alice', 'qm_user');
select api.put_candidates(jsonb_build_array(
    t.candidate('Use the session of the request.'), t.candidate('Use the session of a request!'), t.candidate('Use the session of the request.', '{"polarity": "avoid"}'), t.candidate('Cache the settings.'),
    t.candidate('Use the session of that request.', '{"scope": {"kind": "path", "value": "lib/**"}}'), t.candidate('Use the session of this request.')
), 'shop');
select api.put_candidates(jsonb_build_array(t.candidate('Use the session of the request.')), 'blog');
select t.act_as_superuser();
create temporary table place as select d.id, row_number() over (order by d.id) as number from decisions.decision as d;
create function pg_temp.links() returns text[] language sql as $$
    select array_agg(format('%s %s %s', f.number, l.kind, o.number) order by f.number, o.number) from decisions.link as l inner join place as f on f.id = l.from_id inner join place as o on o.id = l.to_id;
$$;
delete from decisions.link;
select set_config('session_replication_role', 'replica', true);
update decisions.decision set status = 'rejected' where pattern like '%this%';
select set_config('session_replication_role', 'origin', true);
select decisions.link_decisions(array(select p.id from place as p where p.number in (1, 4)));
select is(pg_temp.links(), '{"2 duplicate 1","3 contradicts 1"}', 'the given ones, with others about the same place in their project that are not rejected');
select decisions.link_decisions(array(select p.id from place as p));
select is(pg_temp.links(), '{"2 duplicate 1","3 contradicts 1","3 contradicts 2"}', 'then the rest, and each pair once');
select decisions.link_decisions('{}');
select is((select count(*) from decisions.link), 3::bigint, 'none is nothing');

select * from finish();
rollback;
