begin;
select plan(6);

select t.make_project('shop', 'alice');
create temporary table made as select t.make_decisions('shop', t.candidate('Use the session.'), t.candidate('Cache the settings.')) as ids;
grant select on made to public;
select t.act_as('cora', 'qm_user');
select throws_ok($$select api.reject_decisions(ids) from made$$, 'QM403', null, 'never through the service');
select t.log_in('cora');
select is(api.reject_decisions((select ids[1:1] from made), 'too slow'), 1, 'one is rejected');
select is(api.reject_decisions((select ids from made)), 1, 'those that are rejected already do not count');
select is_empty($$select * from api.decisions_for('src/api/a.py', '')$$, 'none is served');
select is((select c.reason from api.put_candidates(jsonb_build_array(t.candidate('Use the session.'))) as c), 'it was rejected: too slow', 'nor proposed again');
select throws_ok($$select api.reject_decisions('{0}')$$, 'QM404', null, 'one that is not there is not found');

select * from finish();
rollback;
