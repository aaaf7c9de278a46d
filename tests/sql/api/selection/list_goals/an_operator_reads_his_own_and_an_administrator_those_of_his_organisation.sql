begin;
select plan(5);

select t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_catalog(), api.put_organisation('acme');
update policy.principal as p set organisation_id = o.id from policy.organisation as o where p.name = 'bob';
select t.act_as('bob');
select count(*) from api.select_tools('a goal of another organisation');
select t.act_as('alice');
select count(*) from api.select_tools('open a ticket');
select t.act_as('op', 'qm_operator');
select count(*) from api.select_tools('convert a time');
select results_eq($$select g.goal from api.list_goals() as g$$, array['convert a time'], 'his own');
select t.act_as_superuser();
insert into selection.judgement (kind, goal_hash, ref, goal, mode, successes, first_at, last_at)
select 'tool', search.goal_hash('open a ticket'), c.ref, 'open a ticket', 'balanced', 1, now(), now() from search.card as c where c.name = 'tracker__create_ticket';
select t.act_as('op', 'qm_admin');
select results_eq(
    $$select g.goal, g.mode, g.kind, g.successful from api.list_goals() as g$$,
    $$values ('convert a time', 'balanced', 'tool', '{}'::text[]), ('open a ticket', 'balanced', 'tool', '{tracker__create_ticket}')$$,
    'all of the organisation, newest first, with what was called'
);
select results_eq($$select g.goal from api.list_goals(maximum => 1) as g$$, array['convert a time'], 'so many');
select throws_ok($$select * from api.list_goals(maximum => 0)$$, 'QM422', null, 'at least one');
select throws_ok($$select * from api.list_goals('{nothing}')$$, 'QM404', null, 'a kind that is there');

select * from finish();
rollback;
