begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_principal('bob');
select t.make_library('shop', 'acme'), t.make_library('shop', 'acme2'), t.make_library('shop', 'zebra');
select t.read_as('alice');
select is(knowledge.near_libraries('acme1', null, null), '{acme,acme2}', 'the most similar first');
select is(knowledge.near_libraries('qqqq', null, null), '{}', 'nothing is similar');
select is(knowledge.near_libraries('acme1', '/srv/other', null), '{}', 'a folder that was not read');
select t.read_as('bob');
select is(knowledge.near_libraries('acme1', null, null), '{}', 'the libraries of others');

select * from finish();
rollback;
