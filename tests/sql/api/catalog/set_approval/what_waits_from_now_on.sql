begin;
select plan(6);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_origin('o');
select t.act_as('alice');
select throws_ok($$select api.set_approval('o', 'none')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.set_approval('x', 'none')$$, 'QM404', null, 'an unknown origin');
select throws_ok($$select api.set_approval('o', 'some')$$, 'QM422', null, 'no such approval');
select is(api.set_approval('o', 'all'), 'all', 'its own');
select is((select g.origin ->> 'approval' from api.get_origin('o') as g (origin)), 'all', 'is kept');
select is(api.set_approval('o', null), 'changes', 'or what the setting says');

select * from finish();
rollback;
