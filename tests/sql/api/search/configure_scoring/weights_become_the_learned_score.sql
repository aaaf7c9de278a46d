begin;
select plan(13);

select t.make_principal('reader', 'user'), t.make_principal('op', 'operator');
select t.read_as('reader', 'qm_user');
select throws_ok($$select api.configure_scoring('tool', 'm', '{"dense": 1}')$$, '42501', null, 'not for those who only search');
select t.read_as('op', 'qm_operator');
select throws_ok($$select api.configure_scoring('nothing', 'm', '{"dense": 1}')$$, 'QM404', null, 'a kind that is not there');
select throws_ok($$select api.configure_scoring('tool', 'm', '{"density": 1}')$$, 'QM422', null, 'a feature that is not there');
select throws_ok($$select api.configure_scoring('tool', 'm', '{"dense": "1"}')$$, 'QM422', null, 'a text');
select throws_ok($$select api.configure_scoring('tool', 'm', '[]')$$, 'QM422', null, 'an array');
select is(api.configure_scoring('tool', 'm', '{"dense": 1.5, "fuzzy": 2}'), 2, 'two weights');
select is(api.configure_scoring('tool', 'm', '{"dense": 1, "intercept": -3}'), 2, 'and two others');
select results_eq(
    $$select c.feature, c.weight from search.coefficient as c where c.kind = 'tool' and c.profile = 'm' order by 1$$,
    $$values ('dense', 1::real), ('intercept', -3)$$, 'the first are gone'
);
select is(api.configure_scoring('tool', 'm', large => '{"dense": 2}'), 3, 'those for a large catalog stand beside them');
select is(api.configure_scoring('tool', 'm', confidence => '{"odds": 1}'), 4, 'they are kept with the score');
select is(api.configure_scoring('tool', 'm', '{"dense": 1}'), 1, 'and removed with it');
select throws_ok($$select api.configure_scoring('tool', 'm', large => '{"density": 1}')$$, 'QM422', null, 'a feature that is not there');
select is(api.configure_scoring('tool', 'm', '{}'), 0, 'none: fusion');

select * from finish();
rollback;
