begin;
select plan(2);

select t.make_origin('my time');
select t.make_tool('my time', 'now');
create temporary table before as select t.id, t.public_name from catalog.item as t;
select t.make_origin('my_time');
select t.make_tool('my_time', 'now');
select results_eq($$select t.id, t.public_name from catalog.item as t inner join before as b on b.id = t.id$$, $$select * from before$$, 'the first keeps its name');
select matches((select t.public_name from catalog.item as t where t.id not in (select b.id from before as b)), '^my_time-[0-9a-f]{6}__now$', 'the second gets one of its own');

select * from finish();
rollback;
