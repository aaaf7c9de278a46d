begin;
select plan(3);

select set_eq(
    $$select catalog.locators_of(
        array['x', '--token', '${secret:x/token}', '--key=a-${env:KEY}-b', '${HOME}', '$secret:y'], null
    )$$,
    array['secret:x/token', 'env:KEY'], 'inside of arguments'
);
select results_eq(
    $$select catalog.locators_of('{}', 'https://x.example/mcp?a=${secret:x/a}&b=${secret:x/a}')$$,
    array['secret:x/a'], 'in a URL, each once'
);
select is_empty($$select catalog.locators_of(null, null)$$, 'nothing refers to nothing');

select * from finish();
rollback;
