begin;
select plan(2);

select is(search.goal_hash('Open It'), search.goal_hash('open it'), 'the same');
select isnt(search.goal_hash('open it'), search.goal_hash('open  it'), 'another one');

select * from finish();
rollback;
