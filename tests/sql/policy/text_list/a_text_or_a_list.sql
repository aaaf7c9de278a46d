begin;
select plan(4);

select is(policy.text_list('"a"'), '{a}', 'a text');
select is(policy.text_list('["a", "b"]'), '{a,b}', 'a list');
select is(policy.text_list('{"a": 1}'), null, 'another type');
select is(policy.text_list(null), null, 'a member that is missing');

select * from finish();
rollback;
