begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
create temporary table found as select f.* from api.select_tools('what time is it in Tokyo', mode => 'balanced', top => 2, explain => true) as f where f.rank is not null;
select is((select f.name from found as f where f.rank = 1), 'time__get_current_time', 'the right tool first');
select results_eq($$select f.rank from found as f order by f.score desc, f.rank$$, array[1, 2], 'ranks follow scores, as many as asked for');
select is_empty($$select * from found as f where f.origin = '' or f.brief = '' or f.score not between 0 and 1$$, 'every column is filled');
select is_empty($$select * from found as f where not f.scores ?& '{lexical,dense,fuzzy,sources}'$$, 'the scores of each stage');
select is((select count(distinct f.receipt) from found as f), 1::bigint, 'one receipt');
select is((select r.goal from selection.receipt as r), 'what time is it in Tokyo', 'that keeps the goal');
select is_empty($$select * from api.select_tools('what time is it in Tokyo') as f where f.scores is not null$$, 'only who asks for an explanation gets them');

select * from finish();
rollback;
