begin;
select plan(9);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.shadow_lookups('nowhere', '[]')$$, 'QM404', null, 'an unknown table');
select is_empty($$select * from api.shadow_lookups('plant', '[{"query": "Betula nana"}]')$$, 'a table without a shadow');
create temporary table before as select s.id, s.score, s.match from api.search_lookup('plant', 'Betula nana', k_final => 1) as s;
select t.act_as('op', 'qm_operator');
select is(api.configure_lookup_shadow('plant', 0.5), 0, 'a shadow with the weights of the table');
select t.act_as('alice');
select results_eq(
    $$select s.number, s.profile, s.id, s.match from api.shadow_lookups('plant', '[{"query": "Betula nana"}, {"query": "Xyzzy quux"}]') as s$$,
    $$values (1, 'default', '2', true), (2, 'default', null, false)$$, 'answers alike, in the order given'
);
select t.act_as('op', 'qm_operator');
select is(
    api.configure_lookup_shadow('plant', 0.5, '{"score": {"intercept": -99}, "confidence": {"intercept": -9, "odds": 1}}', 0.6), 3,
    'a shadow with its own, which finds nothing good enough'
);
select t.act_as('alice');
select results_eq(
    $$select s.profile, s.id from api.shadow_lookups('plant', '[{"query": "Betula nana"}]') as s$$, $$values ('shadow:plant', null::text)$$,
    'its own count'
);
select results_eq(
    $$select s.id, s.score, s.match from api.search_lookup('plant', 'Betula nana', k_final => 1) as s$$, $$select * from before$$,
    'what counts stays as it was'
);
select results_eq($$select s.profile, s.share from api.lookup_state('plant') as s$$, $$values ('default', 0.5::real)$$, 'as its state says');
select t.act_as('op', 'qm_operator');
select is(api.configure_lookup_shadow('plant', 0), 0, 'and it can go');

select * from finish();
rollback;
