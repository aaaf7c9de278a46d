begin;
select plan(10);

select t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select throws_ok($$select api.configure_modes('{"fast": {"top": 3}, "new": {"top": 3}}')$$, 'QM422', null, 'incomplete');
select throws_ok($$select api.configure_modes('{"fast": {"top": 0}}')$$, 'QM422', null, 'out of range');
select throws_ok($$select api.configure_modes('{"fast": {"top": "many"}}')$$, 'QM422', null, 'no number');
select throws_ok($$select api.configure_modes('{"fast": {"top": 99999999999}}')$$, 'QM422', null, 'a number too large');
select throws_ok($$select api.configure_modes('{"Fast!": {}}')$$, 'QM422', null, 'a name that cannot be');
select throws_ok($$select api.configure_modes('{"fast": 5}')$$, 'QM422', null, 'settings that are a number');
select throws_ok($$select api.configure_modes('{"fast": null}')$$, 'QM422', null, 'or null');
select throws_ok($$select api.configure_modes('[]')$$, 'QM422', null, 'an array');
select throws_ok($$select api.configure_modes(null)$$, 'QM422', null, 'nothing');
select is((select m.top from selection.mode as m where m.name = 'fast'), 5, 'the mode is as it was');

select * from finish();
rollback;
