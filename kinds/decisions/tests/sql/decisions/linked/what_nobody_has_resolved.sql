begin;
select plan(3);

select t.make_project('shop', 'alice');
select t.act_as('alice', 'qm_user');
select api.put_candidates(jsonb_build_array(t.candidate('Raise our own errors.'), t.candidate('Raise our own errors!', '{"polarity": "avoid"}'), t.candidate('Raise all our own errors.')));
select t.act_as_superuser();
create temporary table place as select d.id, row_number() over (order by d.id) as number from decisions.decision as d;
create function pg_temp.linked(p_number integer) returns text[] language sql as $$
    select array_agg(l.kind || ' ' || o.number order by o.number) from place as p cross join lateral decisions.linked(p.id) as l inner join place as o on o.id = l.other where p.number = p_number;
$$;
select is(pg_temp.linked(1), '{"contradicts 2","duplicate 3"}', 'the opposite and the same');
update decisions.link set resolved_at = now() where kind = 'duplicate';
select is(pg_temp.linked(3), '{"contradicts 2"}', 'in both directions, but none that was resolved');
select set_config('session_replication_role', 'replica', true);
update decisions.decision set status = 'rejected' where polarity = 'avoid';
select set_config('session_replication_role', 'origin', true);
select is(pg_temp.linked(1), null, 'nor one that was rejected');

select * from finish();
rollback;
