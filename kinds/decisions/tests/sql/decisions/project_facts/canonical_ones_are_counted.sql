begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
create temporary table shop as select p.id from projects.project as p;
grant select on shop to public;
select t.act_as('alice', 'qm_user');
select api.put_candidates(jsonb_build_array(t.candidate('A candidate.')));
select t.read_as('alice');
select is((select decisions.project_facts(id) from shop), '[["Knowledge", "0 canonical decisions"]]', 'a candidate does not count');
select t.act_as_superuser();
select t.make_decisions('shop', t.candidate('Use the session.'));
select t.read_as('alice');
select is((select decisions.project_facts(id) from shop), '[["Knowledge", "1 canonical decision"]]', 'one');
select t.act_as_superuser();
select t.make_decisions('shop', t.candidate('Cache the settings.'));
select t.read_as('alice');
select is((select decisions.project_facts(id) from shop), '[["Knowledge", "2 canonical decisions"]]', 'several');
select t.read_as('mallory');
select is((select decisions.project_facts(id) from shop), '[["Knowledge", "0 canonical decisions"]]', 'nobody else learns how many');

select * from finish();
rollback;
