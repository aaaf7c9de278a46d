begin;
select plan(1);

select results_eq(
    $$select x.member, x.text from catalog.tool_texts('{
        "name": "x", "title": "T", "description": "D.", "input_schema": {"properties": {"q": {"description": "What."}}}, "output_schema": null,
        "annotations": {"title": "A"}, "examples": ["E"], "extra": {"icons": ["I"], "_meta": "M"}
    }') as x where x.text <> ''$$,
    $$values ('title', 'T'), ('description', 'D.'), ('input_schema', E'What..\nq'), ('annotations', 'A'), ('examples', 'E'), ('extra', 'M')$$,
    'each with its member'
);

select * from finish();
rollback;
