begin;
select plan(4);

select t.make_origin('starter'), t.make_origin('mine');
update catalog.origin set is_starter = true where name = 'starter';
select t.make_tools('starter', 'now', 'convert'), t.make_tools('mine', 'now');
select is(catalog.twin_starters(catalog.origin_id('mine')), '{}', 'a part of the tools');
select t.make_tools('mine', 'convert', 'week');
select is(catalog.twin_starters(catalog.origin_id('mine')), array[catalog.origin_id('starter')], 'all of them, and one more');
select is(catalog.twin_starters(catalog.origin_id('starter')), '{}', 'no starter is its own twin');
select t.make_tool('mine', 'now', 'Another description.');
select is(catalog.twin_starters(catalog.origin_id('mine')), '{}', 'one has another definition');

select * from finish();
rollback;
