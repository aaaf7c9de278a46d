begin;
select plan(2);

select is(lookup.told_problem('{query_empty,"no text",NULL}'), '{"slug": "query_empty", "message": "no text", "hint": null}', 'a mistake');
select is(lookup.told_problem(null), null, 'no mistake');

select * from finish();
rollback;
