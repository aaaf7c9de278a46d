begin;
select plan(2);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
create temporary table before as select selection.counters() as counters;
select is(selection.counters(), (select b.counters from before as b), 'the same while nothing changes');
select t.act_as_superuser();
select t.make_tool('tracker', 'close_ticket');
select t.read_as('alice');
select isnt(selection.counters(), (select b.counters from before as b), 'others afterwards');

select * from finish();
rollback;
