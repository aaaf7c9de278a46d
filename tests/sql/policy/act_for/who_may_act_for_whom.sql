begin;
select plan(7);

select t.make_principal('alice'), t.make_principal('gone'), t.make_principal('op', 'operator');
create temporary table principal as select p.id, p.name from policy.principal as p;
grant select on principal to public;
update policy.principal set enabled = false where name = 'gone';
select t.read_as('alice');
select is(policy.act_for('op'), false, 'a user may not');
select is(policy.act_for('alice'), true, 'but for himself');
select t.read_as('op', 'qm_operator');
select throws_ok($$select policy.act_for('gone')$$, 'QM422', null, 'not for a disabled principal');
select throws_ok($$select policy.act_for('nobody')$$, 'QM404', null, 'not for nobody');
select is(policy.act_for('op'), true, 'for oneself');
select is(policy.act_for('alice'), true, 'an operator may');
select is(policy.principal_id(), (select p.id from principal as p where p.name = 'alice'), 'and then does');

select * from finish();
rollback;
