begin;
select plan(8);

select is(calls.terms_problem('{"timeout_s": 2.5, "attempts": 3, "is_public": true, "masked": ["password"], "key_argument": "key"}'), null, 'these are possible');
select matches(calls.terms_problem('{"timeout": 5}'), 'timeout is 5, but must be omitted', 'an unknown member');
select matches(calls.terms_problem('{"timeout_s": 0}'), 'from 0.1 to 3600', 'out of range');
select matches(calls.terms_problem('{"timeout_s": "5"}'), 'a number of seconds', 'of another type');
select matches(calls.terms_problem('{"attempts": 1.5}'), 'whole number', 'a fraction');
select matches(calls.terms_problem('{"masked": [1]}'), 'list of argument names', 'no name');
select matches(calls.terms_problem('{"is_read_only": 1}'), 'true or false', 'no truth value');
select is(calls.terms_problem('{}'), null, 'nothing at all');

select * from finish();
rollback;
