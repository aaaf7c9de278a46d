begin;
select plan(3);

select set_eq(
    $$select unnest(search.name_lexemes('fruit', 'red apple'))$$,
    array['fruit:  a', 'fruit:  r', 'fruit: ap', 'fruit: re', 'fruit:app', 'fruit:ed ', 'fruit:le ', 'fruit:ple', 'fruit:ppl', 'fruit:red', 'fruit=apple', 'fruit=red'],
    'each with its origin'
);
select is(cardinality(search.name_lexemes('a', 'x x')), 3, 'each once');
select is(
    (select max(substr(l, 3)) from unnest(search.name_lexemes('a', (select string_agg('w' || n, ' ' order by n) from generate_series(10, 99) as n))) as l where l ^@ 'a='),
    'w39', 'of a long name, thirty words'
);

select * from finish();
rollback;
