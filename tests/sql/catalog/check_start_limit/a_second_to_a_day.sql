begin;
select plan(5);

select lives_ok($$select catalog.check_start_limit('o', 1)$$, 'a second');
select lives_ok($$select catalog.check_start_limit('o', 86400)$$, 'a day');
select lives_ok($$select catalog.check_start_limit('o', null)$$, 'no limit of its own');
select throws_ok($$select catalog.check_start_limit('o', 0)$$, 'QM422', null, 'nothing');
select throws_ok($$select catalog.check_start_limit('o', 86401)$$, 'QM422', null, 'more than a day');

select * from finish();
rollback;
