begin;
select plan(4);

select ok('a%b_c\d' like policy.like_pattern('a%b_c\d'), 'all else stands for itself');
select ok('axb' not like policy.like_pattern('a_b'), 'an underline is an underline');
select ok('axyb' like policy.like_pattern('a*b') and 'ab' like policy.like_pattern('a*b'), 'a star is anything, also nothing');
select ok('axb' like policy.like_pattern('a?b') and 'ab' not like policy.like_pattern('a?b'), 'a question mark is one character');

select * from finish();
rollback;
