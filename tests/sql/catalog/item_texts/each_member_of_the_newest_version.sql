begin;
select plan(1);

select t.make_origin('o');
select t.make_tool('o', 'x', 'Old.'), t.make_tool('o', 'x', 'New.', '{"type": "object", "properties": {"q": {"description": "What."}}}');
select results_eq(
    $$select d.version, d.member, d.text from catalog.item as t cross join lateral catalog.item_texts('tool', array[t.id]) as d order by 2$$,
    $$values (2, 'description', 'New.'), (2, 'input_schema', E'What..\nq'), (2, 'name', E'o\nx')$$, 'members that say something'
);

select * from finish();
rollback;
