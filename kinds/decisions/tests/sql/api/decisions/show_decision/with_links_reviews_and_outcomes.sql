begin;
select plan(6);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
create temporary table made as select t.make_decisions('shop', t.candidate('Raise our own errors.')) as ids;
grant select on made to public;
select t.act_as('alice', 'qm_user');
create temporary table other as select c.decision as id from api.put_candidates(jsonb_build_array(t.candidate('Raise our own errors.', '{"polarity": "avoid"}'))) as c;
create temporary table shown as select api.show_decision(ids[1]) as d from made;
select is((select d #> '{evidence,0,excerpt}' from shown), '"an excerpt"', 'curators read the excerpts');
select is((select d -> 'links' from shown), (select jsonb_build_array(jsonb_build_object('kind', 'contradicts', 'decision', o.id, 'pattern', 'Raise our own errors.', 'status', 'candidate')) from other as o), 'what it contradicts');
select is((select (d #> '{reviews,0}') - 'at' from shown), '{"by": "cora", "action": "approve", "reason": "a test", "before": {"status": "candidate"}, "after": {"status": "canonical"}}', 'who approved it, and why');
select is((select d -> 'outcomes' from shown), '{}', 'nobody has followed it yet');
select throws_ok($$select api.show_decision(0)$$, 'QM404', null, 'one that is not there is not shown');
select t.act_as('mallory', 'qm_user');
select throws_ok($$select api.show_decision(ids[1]) from made$$, 'QM404', null, 'nor one of others');

select * from finish();
rollback;
