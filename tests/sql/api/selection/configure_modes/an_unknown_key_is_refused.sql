begin;
select plan(2);

select t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select throws_ok($$select api.configure_modes('{"fast": {"top": 3, "weight_ranking": 1}}')$$, 'QM422', null, 'not a column of a mode');
select is((select m.top from selection.mode as m where m.name = 'fast'), 5, 'the mode is as it was');

select * from finish();
rollback;
