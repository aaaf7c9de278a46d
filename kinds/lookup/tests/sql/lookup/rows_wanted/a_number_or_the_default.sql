begin;
select plan(4);

select is(lookup.rows_wanted('{"limit": 5}', 3), 5, 'as many as are asked for');
select is(lookup.rows_wanted('{"limit": "5"}', 3), 3, 'a text is no number');
select is(lookup.rows_wanted('"x"', 3), 3, 'a query that is a text');
select results_eq($$select lookup.rows_wanted('{"limit": 1e30}', 3), lookup.rows_wanted('{"limit": -1e30}', 3)$$, $$values (1000, -1)$$, 'what is no number of rows stays so');

select * from finish();
rollback;
