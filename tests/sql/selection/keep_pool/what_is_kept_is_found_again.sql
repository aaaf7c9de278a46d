begin;
select plan(4);

select throws_ok($$set local role qm_user; select selection.keep_pool('a', now(), '{}')$$, '42501', null, 'a user keeps none');
reset role;
select is(selection.keep_pool('a', '2026-01-01', '{}'), true, 'a new pool');
select is(selection.keep_pool('a', '2026-01-02', '{}'), true, 'and again');
select results_eq($$select p.expires_at from selection.pool as p where p.key = 'a'$$, $$values ('2026-01-02'::timestamptz)$$, 'is kept once, until then');

select * from finish();
rollback;
