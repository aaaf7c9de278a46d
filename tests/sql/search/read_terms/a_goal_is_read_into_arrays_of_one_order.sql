begin;
select plan(3);

select t.make_kind('read');
select t.make_card('read', 1, 'one', 'alpha beta');
select t.make_card('read', 2, 'two', 'alpha gamma');
select results_eq(
    $$select g.term_id, g.lexeme, g.weight, g.factor
      from search.read_terms('read', 'gamma or alpha or delta') as r
      cross join unnest(r.term_ids, r.lexemes, r.weights, r.factors) as g (term_id, lexeme, weight, factor)$$,
    $$select q.term_id, q.lexeme, q.weight, q.factor from search.query_terms('read', 'gamma or alpha or delta') as q order by q.term_id$$,
    'each token with what belongs to it'
);
select is(
    (select r.query::text from search.read_terms('read', 'gamma') as r),
    (select '{' || q.term_id || ':' || q.weight || '}/1000000000' from search.query_terms('read', 'gamma') as q), 'and all of them as a vector'
);
select ok(
    (select r.term_ids is null and r.query::text = '{}/1000000000' from search.read_terms('read', 'nothing known') as r), 'of unknown words nothing'
);

select * from finish();
rollback;
