begin;
select plan(3);

select search.put_model('test-4', 4, true), t.make_kind('memo'), t.make_project('shop', 'alice'), t.make_card('memo', 1, 'open', 'harbour');
select t.make_project_card('memo', 2, 'inside', (select p.id from projects.project as p), 'harbour');
select is((select array_agg(u.embedding_text) from search.claim_unembedded('test-4', 10) as u), '{open}', 'a login that is no member gets no text of an audience');
insert into projects.member (project_id, principal_id, role) select p.id, policy.principal_id(), 'member' from projects.project as p;
select is((select array_agg(u.embedding_text order by 1) from search.claim_unembedded('test-4', 10) as u), '{inside,open}', 'a member does');
delete from projects.member as m where m.principal_id = policy.principal_id();
select t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select is((select array_agg(u.embedding_text order by 1) from api.claim_unembedded('test-4', 10) as u), '{inside,open}', 'and the service, which computes vectors');

select * from finish();
rollback;
