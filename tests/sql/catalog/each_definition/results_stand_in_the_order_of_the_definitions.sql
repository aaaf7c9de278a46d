begin;
select plan(3);

select is(
    catalog.each_definition('catalog.tool_listing', '{"{\"name\": \"a\", \"examples\": []}", NULL, "{\"name\": \"b\"}"}'),
    '{"{\"name\": \"a\"}", NULL, "{\"name\": \"b\"}"}'::jsonb[], 'one of each'
);
select is(catalog.each_definition(null, '{"{\"name\": \"a\"}"}'), '{"{\"name\": \"a\"}"}'::jsonb[], 'without a function, the definitions');
select throws_ok($$select catalog.each_definition('catalog.no_such', '{"{}"}')$$, '42883', null, 'a function that is not there');

select * from finish();
rollback;
