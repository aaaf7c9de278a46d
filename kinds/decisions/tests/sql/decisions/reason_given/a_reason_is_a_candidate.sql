begin;
select plan(2);

select t.make_project('shop', 'alice');
-- As in an operation, the caller is the member, and the rights are those of the owner.
create function pg_temp.give(p_candidate jsonb) returns void language sql security definer as $$
    select decisions.reason_given(p.id, p_candidate) from projects.project as p;
$$;
select t.act_as('alice', 'qm_user');
select pg_temp.give(t.candidate('S101 need not hold in a.py: it is a test.')), pg_temp.give('{}');
select is((select array_agg(d ->> 'pattern' || ' ' || (d ->> 'status')) from api.find_decisions() as d), '{"S101 need not hold in a.py: it is a test. candidate"}', 'people decide about it');
select is((select count(*) from api.list_refusals()), 1::bigint, 'what is no candidate is refused as usual');

select * from finish();
rollback;
