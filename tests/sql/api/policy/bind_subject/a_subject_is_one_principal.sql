begin;
select plan(4);

select t.make_principal('boss', 'admin'), t.make_principal('alice'), t.make_principal('bob');
select t.act_as('alice', 'qm_user');
select throws_ok($$select api.bind_subject('alice', 'iss', 'sub')$$, '42501', null, 'a user may not');
select t.act_as('boss', 'qm_admin');
select lives_ok($$select api.bind_subject('alice', 'iss', 'sub')$$, 'an administrator may');
select throws_ok($$select api.bind_subject('bob', 'iss', 'sub')$$, 'QM409', null, 'a subject of somebody else');
select api.bind_subject('alice', null, null);
select lives_ok($$select api.bind_subject('bob', 'iss', 'sub')$$, 'unless it was given up');

select * from finish();
rollback;
