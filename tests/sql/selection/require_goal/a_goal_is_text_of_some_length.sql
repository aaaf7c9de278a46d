begin;
select plan(7);

select is(selection.require_goal(E' \n what time \t'), 'what time', 'space around it goes');
select throws_ok($$select selection.require_goal('')$$, 'QM422', null, 'an empty one');
select throws_ok($$select selection.require_goal(E' \t\n\r ')$$, 'QM422', null, 'one of space');
select throws_ok($$select selection.require_goal(null)$$, 'QM422', 'the goal is empty', 'none');
select throws_ok($$select selection.require_goal(' ', 'topic')$$, 'QM422', 'the topic is empty', 'the message uses the word of the caller');
select throws_ok($$select selection.require_goal(repeat('x', 100000))$$, 'QM413', null, 'one of 100 kB');
select is(length(selection.require_goal(repeat('x', 20000))), 20000, 'the limit itself is accepted');

select * from finish();
rollback;
