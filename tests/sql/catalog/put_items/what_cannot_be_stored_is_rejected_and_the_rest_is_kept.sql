begin;
select plan(21);

select t.make_origin('o');
create temporary table given (position integer, tool jsonb, why text);
insert into given values
(1, '{"origin": "o", "name": "good"}', null),
(2, '5', 'a number'),
(3, 'null', 'null'),
(4, '"text"', 'a string'),
(5, '[]', 'an array'),
(6, '{"origin": "o"}', 'no name'),
(7, '{"origin": "o", "name": ""}', 'an empty name'),
(8, '{"origin": "o", "name": 7}', 'a name that is a number'),
(9, jsonb_build_object('origin', 'o', 'name', repeat('x', 513)), 'a name too long'),
(10, '{"origin": "nope", "name": "x"}', 'an unknown origin'),
(11, '{"name": "x"}', 'no origin'),
(12, '{"origin": "o", "name": "a", "input_schema": []}', 'a schema that is an array'),
(13, '{"origin": "o", "name": "b", "input_schema": "object"}', 'a schema that is a string'),
(14, '{"origin": "o", "name": "c", "output_schema": 1}', 'an output schema that is a number'),
(15, '{"origin": "o", "name": "d", "description": {}}', 'a description that is an object'),
(16, '{"origin": "o", "name": "e", "title": 5}', 'a title that is a number'),
(17, '{"origin": "o", "name": "f", "annotations": "x"}', 'annotations that are text'),
(18, '{"origin": "o", "name": "good", "description": "again"}', 'a name given twice'),
(19, '{"origin": "o", "name": "fine", "title": null, "description": null, "output_schema": null, "annotations": null, "extra": null}', null);
create temporary table answer as
select row_number() over () as position, p.* from t.put_tools((select jsonb_agg(g.tool order by g.position) from given as g)) as p;
select is(a.outcome || (a.reason is null)::text, case when g.why is null then 'addedtrue' else 'rejectedfalse' end, coalesce(g.why, 'a good one'))
from given as g
inner join answer as a on a.position = g.position
order by g.position;
select set_eq($$select t.name from catalog.item as t$$, array['good', 'fine'], 'the good ones are there');
select is((select coalesce(t.definition ->> 'description', '') from catalog.item as t where t.name = 'good'), '', 'the first of two definitions counts');

select * from finish();
rollback;
