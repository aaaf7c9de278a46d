-- Rules that show a third of the cards.
begin;
select plan(2);

set local enable_nestloop = off;
update core.setting set value = '0' where name = 'weights.tolerance';
select t.make_kind('narrow');
select t.make_corpus('narrow', 400, 120, 0.5);
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "hidden*"}]}');
update search.card set name = 'hidden' where kind = 'narrow' and ref % 3 <> 0;
create function pg_temp.differences(p_goal text) returns bigint language sql as $$
    select count(*)
    from (select row_number() over () as rank, b.* from search.bm25('narrow', p_goal, 10) as b) as ours
    full join (
        select row_number() over (order by x.score desc) as rank, x.score
        from t.naive_bm25('narrow', p_goal) as x
        inner join search.card as c on c.id = x.card_id
        where c.ref % 3 = 0
        order by x.score desc
        limit 10
    ) as plain on plain.rank = ours.rank
    where ours.rank is null or plain.rank is null or abs(ours.score - plain.score) > 0.0005 * plain.score;
$$;
select is(sum(pg_temp.differences(g.goal)), 0::numeric, 'twenty goals give the same scores in the same order')
from (select t.random_goal(120, 1 + n % 6) as goal from generate_series(1, 20) as n) as g;
select is_empty(
    $$select t.ref_of(b.card_id) from search.bm25('narrow', 'waax waabx waacx', 50) as b where t.ref_of(b.card_id) % 3 <> 0$$,
    'nothing hidden is returned'
);

select * from finish();
rollback;
