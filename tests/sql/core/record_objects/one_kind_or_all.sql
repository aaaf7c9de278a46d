begin;
-- The rights on the database of a test are its own.
select core.record_objects('database');
select plan(3);

alter table catalog.item no force row level security;
grant execute on function core.now() to public;
select results_eq('select count(*) from core.changed_objects()', $$values (2::bigint)$$, 'two changes');
select core.record_objects('function');
select results_eq('select c.kind from core.changed_objects() as c', $$values ('row security of')$$, 'functions are recorded');
select core.record_objects();
select is_empty('select * from core.changed_objects()', 'all is recorded');

select * from finish();
rollback;
