begin;
select plan(2);

select t.make_project('shop', 'alice'), t.make_project('desk', 'bob');
select t.make_library('shop', 'acme'), t.make_library('desk', 'secret');
create temporary table stored as
select (select e.id from knowledge.environment as e where e.folder = '/srv/shop') as environment, array_agg(d.digest) as digests, (array_agg(d.content) filter (where d.name = 'acme'))[1] as acme
from knowledge.distribution as d;
grant select on stored to public;
select t.act_as('alice', 'qm_operator');
select results_eq(
    $$select k.content from stored as s cross join lateral api.known_distributions(s.environment, s.digests) as k$$, $$select s.acme from stored as s$$,
    'what the environment contains, and nothing that others have read'
);
select t.act_as('bob', 'qm_operator');
select throws_ok($$select api.known_distributions(s.environment, s.digests) from stored as s$$, 'QM404', null, 'nobody asks for the project of others');

select * from finish();
rollback;
