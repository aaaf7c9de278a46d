begin;
select plan(1);

select throws_ok($$select core.fail('no_such_slug', 'x')$$, 'QM500', null, 'QM500');

select * from finish();
rollback;
