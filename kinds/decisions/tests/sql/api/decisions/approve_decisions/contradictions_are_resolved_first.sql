begin;
select plan(11);

select t.make_project('shop', 'alice');
create temporary table made as select t.make_decisions('shop', t.candidate('Raise our own errors.')) as ids;
grant select on made to public;
select t.log_in('cora');
create temporary table other as select c.decision as id from api.put_candidates(jsonb_build_array(t.candidate('Raise our own errors.', '{"polarity": "avoid"}'))) as c;
select throws_ok($$select api.approve_decisions(array(select id from other))$$, 'QM409', null, 'the opposite of a canonical decision is refused');
select throws_ok($$select api.approve_decisions('{0}')$$, 'QM404', null, 'and what is not there');
select throws_ok($$select api.approve_decisions('{}')$$, 'QM404', null, 'or nothing');
select is((api.find_decisions(status => 'candidate') -> 'contradicts' ->> 0)::bigint, (select ids[1] from made), 'the list says which');
select lives_ok($$select api.supersede_decision((select ids[1] from made), (select id from other), 'we changed our mind')$$, 'it may replace the old one');
select is((select array_agg(f.shown ->> 'polarity') from api.find_decisions() as f (shown)), '{avoid}', 'which is then no longer listed');
select is((select array_agg(s.decision) from api.decisions_for('src/api/a.py', '') as s), array(select id from other), 'or served');
select is(api.show_decision((select ids[1] from made)) #>> '{links,0,kind}', 'contradicts', 'both are shown');
create temporary table third as select c.decision as id from api.put_candidates(jsonb_build_array(t.candidate('Raise our own errors', '{"polarity": "do", "scope": {"kind": "global"}}'))) as c;
select throws_ok($$select api.approve_decisions(array(select id from third))$$, 'QM409', null, 'a wider scope contradicts, too');
select lives_ok($$select api.resolve_decisions((select id from third), (select id from other), 'the API is special')$$, 'a curator states that both may stand');
select is(api.approve_decisions(array(select id from third)), 1, 'then it is approved');

select * from finish();
rollback;
