begin;
select plan(6);

select t.make_project('shop', 'alice');
create temporary table made as select t.make_decisions(
    'shop', t.candidate('Use the session.'), t.candidate('Use the session object.', '{"evidence": [{"kind": "commit", "commit": "abcdef1"}]}')
) as ids;
grant select on made to public;
select t.log_in('cora');
select throws_ok($$select api.merge_decisions(ids[1], ids) from made$$, 'QM422', null, 'not into itself');
select is(jsonb_array_length(api.merge_decisions((select ids[1] from made), (select ids[2:2] from made)) -> 'evidence'), 2, 'evidence of both');
select is((select array_agg((f.shown ->> 'id')::bigint) from api.find_decisions(status => 'canonical') as f (shown)), (select ids[1:1] from made), 'one stays');
select is((select c.outcome || ': ' || c.reason from api.put_candidates(jsonb_build_array(t.candidate('Use the session object.'))) as c), 'refused: it was rejected: merged into decision ' || (select ids[1] from made), 'the other does not come back');
select is(api.show_decision((select ids[2] from made)) #>> '{reviews,1,action}', 'merge', 'a review says so');
select is((select array_agg(s.decision) from api.decisions_for('src/api/a.py', 'session') as s), (select ids[1:1] from made), 'one is served');

select * from finish();
rollback;
