begin;
select plan(1);

select t.make_catalog();
select is_empty($$select * from search.fuzzy('tool', 'get_current_time' || repeat(' ', 0) || repeat('x', 60), 5)$$, 'longer than the setting');

select * from finish();
rollback;
