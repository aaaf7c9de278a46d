begin;
select plan(1);

select results_eq(
    $$select d.member, d.text from catalog.definition_texts('{"a": "x", "b": [{"c": "y"}, 7]}') as d order by 1$$,
    $$values ('a', 'x'), ('b/0/c', 'y')$$, 'numbers are no text'
);

select * from finish();
rollback;
