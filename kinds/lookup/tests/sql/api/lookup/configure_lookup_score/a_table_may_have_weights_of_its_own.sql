begin;
select plan(6);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select api.configure_lookup_score('plant', '{}')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.configure_lookup_score('nowhere', '{}')$$, 'QM404', null, 'an unknown table');
select throws_ok($$select api.configure_lookup_score('plant', '{"score": {"beauty": 1}}')$$, 'QM422', null, 'an unknown feature');
select is(api.configure_lookup_score('plant', '{"score": {"intercept": -1, "cosine": 9}, "confidence": {"odds": 1}}'), 3, 'three weights');
select is((select s.scores -> 'features' -> 'cosine' ->> 'share' from api.search_lookup('plant', 'Betula nana', explain => true, threshold => 0) as s where s.rank = 1), '9.0000', 'they count');
select is(api.configure_lookup_score('plant', '{}'), 0, 'and the default counts again');

select * from finish();
rollback;
