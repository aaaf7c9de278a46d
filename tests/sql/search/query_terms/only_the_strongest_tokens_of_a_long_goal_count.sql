begin;
select plan(3);

update core.setting set value = '3' where name = 'goal.max_terms';
select t.make_kind('long');
select t.make_card('long', 1, 'one', 'alpha beta gamma delta');
select t.make_card('long', 2, 'two', 'alpha beta gamma');
select t.make_card('long', 3, 'three', 'alpha beta');
select t.make_card('long', 4, 'four', 'alpha');
select set_eq($$select q.lexeme from search.query_terms('long', 'alpha beta gamma delta') as q$$, array['delta', 'gamma', 'beta'], 'the rarest three');
select results_eq(
    $$select q.cards from search.query_terms('long', 'gamma') as q$$, $$values (2)$$, 'with their document frequency'
);
select is(
    (select round(q.weight::numeric, 4) from search.query_terms('long', 'gamma gamma') as q),
    round((2 * ln(1 + (4 - 2 + 0.5) / (2 + 0.5)))::numeric, 4), 'weight is count times idf'
);

select * from finish();
rollback;
