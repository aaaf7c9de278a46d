begin;
select plan(7);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.read_as('alice');
select throws_ok($$select api.configure_lookup_shadow('plant', 1)$$, '42501', null, 'a user may not');
select t.read_as('op', 'qm_operator');
select throws_ok($$select api.configure_lookup_shadow('nowhere', 1)$$, 'QM404', null, 'an unknown table');
select throws_ok($$select api.configure_lookup_shadow('plant', 1.5)$$, 'QM422', null, 'more than all');
select throws_ok($$select api.configure_lookup_shadow('plant', null)$$, 'QM422', null, 'no share');
select throws_ok($$select api.configure_lookup_shadow('plant', 1, '{"score": {"beauty": 1}}')$$, 'QM422', null, 'an unknown feature');
select api.configure_lookup_shadow('plant', 1, '{"score": {"cosine": 2}}'), api.configure_lookup_shadow('plant', 0.2, candidates => 50);
select results_eq($$select s.share, s.threshold, s.candidates from lookup.shadow as s$$, $$values (0.2::real, null::real, 50)$$, 'configured anew');
select api.configure_lookup_shadow('plant', 0);
select is_empty($$select c.* from search.coefficient as c where c.profile like 'shadow:%'$$, 'taken away with its weights');

select * from finish();
rollback;
