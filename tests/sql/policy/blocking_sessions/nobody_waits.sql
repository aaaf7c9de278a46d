begin;
select plan(2);

select throws_ok($$set local role qm_user; select policy.blocking_sessions('0')$$, '42501', null, 'a user sees none');
reset role;
select is_empty($$select policy.blocking_sessions('0')$$, 'where nobody waits, nobody is waited for');

select * from finish();
rollback;
