begin;
select plan(6);
select t.make_principal('alice', 'user');
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.place from api.rerank_symbols('{0.5, 0.4, 0.3}', '{0.2, 0.9, 0.2}', '{0.3, 0.3, 0.3}') as s$$, $$values (2), (1), (3)$$,
    'a text that has the words of the question comes first'
);
select results_eq(
    $$select s.place from api.rerank_symbols('{0.5, 0.5}', '{0.5, 0.5}', '{0.9, 0.1}') as s$$, $$values (2), (1)$$,
    'a text that says nothing else counts less than one that says more'
);
select results_eq(
    $$select s.place, s.score from api.rerank_symbols('{0.6, 0.5}', '{}', '{}') as s$$, $$values (1, 0.6::real), (2, 0.5::real)$$,
    'what was not read keeps its order and its score'
);
select results_eq(
    $$select s.place from api.rerank_symbols('{0.2, 0.9}', '{0.1}', '{0.1}') as s$$, $$values (1), (2)$$, 'nor does it pass what was read'
);
select results_eq(
    $$select s.place from api.rerank_symbols('{1e300, NaN, -1e300}', '{1e308, -1e308, NaN}', '{-1e308, 1e308, NaN}') as s$$,
    $$values (1), (2), (3)$$, 'numbers that are no cosines are cut to the range of cosines'
);
select results_eq(
    $$select s.place from api.rerank_symbols('{1e300, Infinity}', null, null) as s$$, $$values (1), (2)$$,
    'nor does a score that is too large for a row stop it'
);
select * from finish();
rollback;
