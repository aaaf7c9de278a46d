begin;
select plan(6);

select t.make_project('shop', 'alice');
-- As in an operation, the caller is the member, and the rights are those of the owner.
create function pg_temp.put(p_candidates jsonb, p_problems text[] default '{}', p_only_new boolean default false) returns text[] language sql security definer as $$
    select array_agg(concat_ws(': ', c.outcome, c.reason) order by c.place) from projects.project as p cross join lateral decisions.put_candidates(p.id, p_candidates, p_problems, p_only_new) as c;
$$;
select t.act_as('alice', 'qm_user');
select is(pg_temp.put(jsonb_build_array(t.candidate('Use the session.'), t.candidate('Cache it.'), t.candidate('use the session')), array[null, 'too vague']), '{added,"refused: too vague",known}', 'added, refused, and the same once more');
select is(pg_temp.put(jsonb_build_array(t.candidate('Use the session.', '{"importance": 4}')), '{}', true), '{"refused: it is not new: the project knows this decision already"}', 'only new ones, if asked for');
select is(pg_temp.put(jsonb_build_array(t.candidate('Use the session.', '{"importance": 5, "statistics": {"cases": 2}}'))), '{known}', 'a known one');
select t.act_as_superuser();
select results_eq($$select d.status, d.importance, d.statistics from decisions.decision as d$$, $$values ('candidate', 5::real, '{"cases": 2}'::jsonb)$$, 'gets the numbers of the miner');
select results_eq(
    $$select r.pattern, p.name from decisions.refusal as r inner join policy.principal as p on p.id = r.principal_id order by r.id$$, $$values ('Cache it.', 'alice'), ('Use the session.', 'alice')$$, 'refusals are stored, with who handed them in'
);
select is((select count(*) from decisions.evidence), 1::bigint, 'the same evidence once');

select * from finish();
rollback;
