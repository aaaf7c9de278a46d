begin;
select plan(2);

select t.make_catalog();
select t.act_as(null);
select is(current_user, 'qm_user', 'as a user');
select throws_ok($$select * from api.select_tools('ticket')$$, 'QM403', null, 'it is nobody');

select * from finish();
rollback;
