begin;
select plan(5);

select t.make_project('shop', 'alice');
select t.make_decisions('shop', t.candidate('Use the session.'));
select throws_ok($$update decisions.review set reason = 'other'$$, 'QM409', 'reviews of decisions cannot be changed or deleted', 'a review is not changed');
select throws_ok($$delete from decisions.review$$, 'QM409', null, 'nor deleted');
select is((select count(*) from decisions.review), 1::bigint, 'it is there');
select lives_ok($$delete from projects.project where name = 'shop'$$, 'it goes with its project');
select is_empty($$select from decisions.review$$, 'and only then');

select * from finish();
rollback;
