begin;
select plan(4);

select t.make_principal('alice');
select throws_ok($$select policy.admit_subject('iss', 'sub', 'alice', null, null)$$, 'QM409', null, 'a name of somebody else');
create temporary table made as select policy.admit_subject('iss', 'sub', null, null, null) as id;
select is(p.name || ' ' || p.role, 'sub user', 'a new one, called by its subject') from policy.principal as p inner join made as m on m.id = p.id;
select is(policy.admit_subject('iss', 'sub', null, null, null), m.id, 'who was made meanwhile') from made as m;
select t.act_as('alice', 'qm_admin');
select throws_ok($$select policy.admit_subject('iss', 'x', null, 'admin', null)$$, '42501', null, 'for the door of tokens only');

select * from finish();
rollback;
