begin;
select plan(2);

select results_eq(
    $$select x.member, x.text from catalog.repair_texts('{
        "title": "T", "description": "D", "brief": "B", "phrases": ["P", "R"], "arguments": {"q": {"name": "words", "description": "W"}}, "examples": [{"words": "E"}]
    }') as x$$,
    $$values ('title', 'T'), ('description', E'D.\nB.\nP.\nR'), ('input_schema', E'words.\nW'), ('examples', 'E')$$, 'by the member whose scan rules apply'
);
select is_empty($$select x.member from catalog.repair_texts('{"categories": ["c"]}') as x$$, 'categories are read by rules only');

select * from finish();
rollback;
