begin;
select plan(2);

select t.read_as(null);
select is(current_user, 'qm_test_user', 'as a user');
select throws_ok($$select policy.require_principal()$$, 'QM403', null, 'without a principal');

select * from finish();
rollback;
