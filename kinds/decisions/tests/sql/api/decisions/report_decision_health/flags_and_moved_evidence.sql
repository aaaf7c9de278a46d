begin;
select plan(8);

select t.make_project('shop', 'alice'), t.make_project('blog', 'bob');
create temporary table made as select t.make_decisions('shop', t.candidate('Use the session.')) as ids;
grant select on made to public;
create function pg_temp.report(p_report jsonb, p_commit text default 'abcdef1') returns integer language sql as $$
    select api.report_decision_health(jsonb_build_array(jsonb_build_object('decision', (select ids[1] from made)) || p_report), p_commit);
$$;
select t.act_as('bob', 'qm_user');
select is(pg_temp.report('{"health": "obsolete"}'), 0, 'nobody flags decisions of another project');
select t.act_as('alice', 'qm_user');
select throws_ok($$select pg_temp.report('{"health": "dead"}')$$, 'QM422', null, 'health is one of four');
select throws_ok($$select pg_temp.report('{"health": "fresh"}', 'HEAD')$$, 'QM422', null, 'a commit is a hash');
select is(pg_temp.report(jsonb_build_object('health', 'suspect', 'reason', 'gone', 'statistics', '{"recent": 0.5}'::jsonb, 'evidence', jsonb_build_array(jsonb_build_object(
    'id', api.show_decision((select ids[1] from made)) #> '{evidence,0,id}', 'gone', true)))), 1, 'a member reports');
select is(api.show_decision((select ids[1] from made)) @> '{"health": "suspect", "health_reason": "gone", "last_verified": "abcdef1", "status": "canonical", "statistics": {"recent": 0.5}}', true, 'the status stays');
select is(api.show_decision((select ids[1] from made)) #> '{evidence,0,gone}', 'true', 'evidence is gone');
select is(pg_temp.report(jsonb_build_object('health', 'fresh', 'evidence', jsonb_build_array(jsonb_build_object(
    'id', api.show_decision((select ids[1] from made)) #> '{evidence,0,id}', 'gone', false, 'path', 'src/api/people.py', 'line', 7)))), 1, 'or moved');
select is(api.show_decision((select ids[1] from made)) #>> '{evidence,0,path}', 'src/api/people.py', 'with its file');

select * from finish();
rollback;
