begin;
select plan(5);

select t.make_project('shop', 'alice');
create temporary table made as select t.make_decisions('shop', t.candidate('Use the session.'), t.candidate('Cache the settings.'), t.candidate('Raise our own errors.')) as ids;
grant select on made to public;
select t.log_in('cora');
select api.supersede_decision(ids[2], ids[3]) from made;
select is(api.reopen_decisions((select ids[1:1] from made), 'too early'), 1, 'an approval is undone');
select is(api.show_decision((select ids[1] from made)) ->> 'status', 'candidate', 'it is a candidate');
select is((select array_agg(s.decision) from api.decisions_for('src/api/a.py', '') as s), (select ids[3:3] from made), 'which is not served');
select throws_ok($$select api.reopen_decisions(ids[2:2]) from made$$, 'QM409', null, 'one that was replaced does not come back');
select t.act_as('cora', 'qm_user');
select throws_ok($$select api.reopen_decisions(ids[3:3]) from made$$, 'QM403', null, 'never through the service');

select * from finish();
rollback;
