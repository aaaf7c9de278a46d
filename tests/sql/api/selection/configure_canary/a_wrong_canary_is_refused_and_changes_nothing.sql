begin;
select plan(11);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.read_as('alice');
select throws_ok($$select api.configure_canary('fast', 5)$$, '42501', null, 'users do not configure');
select t.read_as('op', 'qm_operator');
select lives_ok($$select api.configure_canary('fast', 5, '{"top": 3}')$$, 'a good one');
select throws_ok($$select api.configure_canary('warp', 5)$$, 'QM422', null, 'an unknown mode');
select throws_ok($$select api.configure_canary('fast', 101)$$, 'QM422', null, 'more than all');
select throws_ok($$select api.configure_canary('fast', null)$$, 'QM422', null, 'no share');
select throws_ok($$select api.configure_canary('fast', 5, '{"lamda": 0}')$$, 'QM422', null, 'an unknown key');
select throws_ok($$select api.configure_canary('fast', 5, '{"top": 0}')$$, 'QM422', null, 'out of range');
select throws_ok($$select api.configure_canary('fast', 5, '{"top": "many"}')$$, 'QM422', null, 'no number');
select throws_ok($$select api.configure_canary('fast', 5, null)$$, 'QM422', null, 'no settings');
select results_eq($$select c.mode, c.percent, c.settings from selection.canary as c$$, $$values ('fast', 5::real, '{"top": 3}'::jsonb)$$, 'the good one is still there');
select set_eq($$select m.name from selection.mode as m$$, '{fast,balanced,thorough}'::text[], 'no mode came or went');

select * from finish();
rollback;
