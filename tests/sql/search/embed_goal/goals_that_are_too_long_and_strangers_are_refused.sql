begin;
select plan(2);

update core.setting set value = '7' where name = 'goal.max_length';
select throws_ok($$select search.embed_goal('anything')$$, 'QM413', null, 'eight characters are one too many');
select t.read_as(null);
select throws_ok($$select search.embed_goal('any')$$, 'QM403', null, 'nobody has asked');

select * from finish();
rollback;
