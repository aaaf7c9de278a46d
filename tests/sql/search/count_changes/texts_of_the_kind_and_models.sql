begin;
select plan(4);

select t.make_kind('memo'), t.make_kind('note');
create temporary table before as select search.count_changes('memo') as memo, search.count_changes('note') as note;
select is(b.memo, b.note, 'new kinds only have the models') from before as b;
select t.make_card('memo', 1, 'a', 'a');
select is(search.count_changes('memo') - b.memo, 1::bigint, 'a statement with a new text') from before as b;
select is(search.count_changes('note') - b.note, 0::bigint, 'is one of its kind') from before as b;
select search.put_model('test-4', 4, false);
select cmp_ok(search.count_changes('note'), '>', b.note, 'a model changes for all kinds') from before as b;

select * from finish();
rollback;
