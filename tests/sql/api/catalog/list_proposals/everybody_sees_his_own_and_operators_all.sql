begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('alice');
select api.propose_phrases('tracker__create_ticket', '{report a bug}');
select t.act_as('bob');
select api.propose_phrases('tracker__create_ticket', '{complain}');
select t.read_as('alice');
select results_eq($$select p.proposed_by, p.phrases from api.list_proposals() as p$$, $$values ('alice', '{report a bug}'::text[])$$, 'her own');
select t.read_as('op', 'qm_operator');
select is((select count(*) from api.list_proposals()), 2::bigint, 'all');
select t.read_as('boss', 'qm_admin');
select results_eq($$select p.proposed_by from api.list_proposals() as p order by 1$$, array['alice', 'bob'], 'administrators learn whose they are');
select t.act_as('op', 'qm_operator');
select * from api.decide_phrases(array(select p.proposal from api.list_proposals() as p where p.phrases = '{complain}'), false);
select t.read_as('boss', 'qm_admin');
select results_eq($$select p.proposed_by from api.list_proposals() as p$$, array['alice'], 'those that wait');
select results_eq(
    $$select p.proposed_by, p.is_approved, p.decided_by from api.list_proposals(true) as p order by 1$$,
    $$values ('alice', null::boolean, null), ('bob', false, 'op')$$, 'or everything'
);

select * from finish();
rollback;
