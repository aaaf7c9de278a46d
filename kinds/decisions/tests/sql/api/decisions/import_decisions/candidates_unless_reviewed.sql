begin;
select plan(9);

select t.make_project('shop', 'alice', 'cora');
update policy.principal set curates_decisions = true where name = 'cora';
create temporary table file as select jsonb_build_array(
    t.candidate('Use the session.', '{"status": "canonical"}'), t.candidate('Cache everything.', '{"status": "rejected"}'), t.candidate('Undecided.', '{"status": "candidate"}')
) as entries;
grant select on file to public;
select t.log_in('alice');
select throws_ok($$select api.import_decisions(entries, null, 'abcdef1') from file$$, 'QM403', null, 'only a curator takes the status of the files');
select is((select array_agg(i.outcome) from file cross join api.import_decisions(entries) as i), '{added,added,added}', 'a member imports');
select is((select array_agg(distinct f.shown ->> 'status') from api.find_decisions() as f (shown)), '{candidate}', 'candidates');
select t.log_in('cora');
select throws_ok($$select api.import_decisions(entries, null, 'main; drop') from file$$, 'QM422', null, 'a review is a commit');
select is((select array_agg(i.outcome) from file cross join api.import_decisions(entries, null, 'abcdef1') as i), '{known,known,known}', 'a curator names the commit of the review');
select is((select array_agg(f.shown ->> 'status' order by f.shown ->> 'pattern') from api.find_decisions() as f (shown)), '{rejected,candidate,canonical}', 'then they have their status');
select is((select api.show_decision((f.shown ->> 'id')::bigint) #>> '{reviews,0,commit}' from api.find_decisions(status => 'canonical') as f (shown)), 'abcdef1', 'and the commit is the review');
select is((select array_agg(i.outcome) from file cross join api.import_decisions(entries, null, 'abcdef2') as i), '{known,refused,known}', 'once more changes nothing');
select t.act_as('cora', 'qm_user');
select throws_ok($$select api.import_decisions(entries, null, 'abcdef1') from file$$, 'QM403', null, 'and never through the service');

select * from finish();
rollback;
