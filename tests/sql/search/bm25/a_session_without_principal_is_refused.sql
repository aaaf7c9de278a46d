begin;
select plan(2);

select t.make_catalog();
select t.read_as(null);
select is(current_user, 'qm_test_user', 'as a user');
select throws_ok($$select * from search.bm25('tool', 'ticket', 10)$$, 'QM403', null, 'without a principal');

select * from finish();
rollback;
