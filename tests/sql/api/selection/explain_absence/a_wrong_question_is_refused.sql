begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('gone');
update policy.principal set enabled = false where name = 'gone';
create temporary table caller as select p.id from policy.principal as p where p.name = 'op';
grant select on caller to public;
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.explain_absence('', 'x')$$, 'QM422', null, 'an empty goal');
select throws_ok($$select * from api.explain_absence('x', 'x', mode => 'none')$$, 'QM422', null, 'an unknown mode');
select throws_ok($$select * from api.explain_absence('x', 'x', budget_tokens => 0)$$, 'QM422', null, 'no token');
select throws_ok($$select * from api.explain_absence('x', 'x', 'gone')$$, 'QM422', null, 'a disabled principal');
select throws_ok($$select * from api.explain_absence('x', 'x', 'alice', kind => 'prompt')$$, 'QM422', null, 'another kind for another principal');
select throws_ok($$select * from api.explain_absence('x', 'x', kind => 'none')$$, 'QM404', null, 'an unknown kind');
select throws_ok($$select * from api.explain_absence('x', 'x', 'alice', mode => 'none')$$, 'QM422', null, 'an error while it acts for another one');
select is(current_setting('qm.principal'), (select p.id::text from caller as p), 'the caller stays the caller');

select * from finish();
rollback;
