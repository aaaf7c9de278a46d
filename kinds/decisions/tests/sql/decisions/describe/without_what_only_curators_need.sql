begin;
select plan(3);

select t.make_project('shop', 'alice', 'bob'), t.make_principal('mallory');
create temporary table made as select t.make_decisions('shop', t.candidate('Use the session.')) as ids;
grant select on made to public;
select t.read_as('bob');
select is((select decisions.describe(ids[1]) ->> 'pattern' from made), 'Use the session.', 'a member reads it');
select ok((select not decisions.describe(ids[1])::text ~ 'suspicion|importance|miner|an excerpt' from made), 'without the excerpts and without what only curators need');
select t.read_as('mallory');
select is((select decisions.describe(ids[1]) from made), null, 'nobody else does');

select * from finish();
rollback;
