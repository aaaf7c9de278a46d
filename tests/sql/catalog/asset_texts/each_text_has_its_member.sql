begin;
select plan(2);

select results_eq(
    $$select x.member, x.text from catalog.asset_texts('{"name": "greet", "title": "Greet", "description": "Greets.", "arguments": [{"name": "who"}], "icons": ["i"], "mimeType": "text/plain"}') as x$$,
    $$values ('name', 'greet'), ('title', 'Greet'), ('description', 'Greets.'), ('input_schema', 'who'), ('extra', 'text/plain')$$, 'a prompt'
);
select is(
    (select x.text from catalog.asset_texts('{"name": "i", "instructions": "Ask first."}') as x where x.member = 'description'),
    'Ask first.', 'instructions are a description'
);

select * from finish();
rollback;
