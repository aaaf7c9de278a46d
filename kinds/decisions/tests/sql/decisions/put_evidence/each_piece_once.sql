begin;
select plan(4);

select t.make_project('shop', 'alice');
select t.act_as('alice', 'qm_user');
select api.put_candidates(jsonb_build_array(t.candidate('Use the session.', '{"evidence": []}'), t.candidate('Cache it.', '{"evidence": []}')));
select t.act_as_superuser();
create function pg_temp.put(variadic p_evidence jsonb[]) returns bigint language sql as $$
    select decisions.put_evidence((select array_agg(d.id order by d.id) from decisions.decision as d), p_evidence);
    select count(*) from decisions.evidence;
$$;
select is(pg_temp.put('[{"kind": "file", "path": "a.py", "line": 3, "end_line": 3}, {"kind": "file", "path": "a.py", "line": 3}]', '[{"kind": "file", "path": "a.py", "line": 3, "end_line": 9}]'), 2::bigint, 'one for each decision');
select is(pg_temp.put('[{"kind": "file", "path": "a.py", "line": 3}, {"kind": "file", "path": "a.py", "line": 3, "role": "contradicts"}]', null), 3::bigint, 'another role is another piece');
select results_eq($$select e.end_line, e.role from decisions.evidence as e order by e.id$$, $$values (null, 'supports'), (9, 'supports'), (null, 'contradicts')$$, 'an end only if it lies below');
select pg_temp.put(jsonb_build_array(jsonb_build_object('kind', 'commit', 'commit', 'abc', 'excerpt', repeat('x', 1001))), '[]');
select is((select length(e.excerpt) from decisions.evidence as e where e.kind = 'commit'), 1000, 'a long excerpt is cut');

select * from finish();
rollback;
