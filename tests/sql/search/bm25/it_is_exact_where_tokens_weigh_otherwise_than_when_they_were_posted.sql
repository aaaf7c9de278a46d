begin;
select plan(4);

select t.make_kind('drifted');
update core.setting set value = '100' where name = 'weights.tolerance';
select t.make_corpus('drifted', 200, 60, 0.4);
-- Not twice as many: nothing is weighed anew, and one token of the corpus becomes common.
select search.put_cards('drifted', (
    select jsonb_agg(jsonb_build_object('ref', 1000 + n, 'name', 'late ' || n, 'fields', jsonb_build_array('late', 'x', repeat('wadx waax ', n % 7 + 1))))
    from generate_series(1, 150) as n
));
select ok(
    (select bool_or(q.weight / q.factor > 1.1) from search.query_terms('drifted', 'waax wadx wabx') as q), 'postings of a token are far off'
);
create function pg_temp.differences(p_goal text) returns bigint language sql as $$
    select count(*)
    from (select row_number() over () as rank, b.score from search.bm25('drifted', p_goal, 12) as b) as ours
    full join (
        select row_number() over (order by x.score desc) as rank, x.score
        from (
            select -(l.weights operator(ext.<#>) (search.read_terms('drifted', p_goal)).query) as score from search.lexical as l where l.kind = 'drifted'
        ) as x
        order by x.score desc
        limit 12
    ) as plain on plain.rank = ours.rank
    where abs(ours.score - plain.score) < 0.0001 * plain.score is not true
$$;
select is(pg_temp.differences('waax wadx wabx'), 0::bigint, 'the best are those of a plain scan');
select is(pg_temp.differences('waax waax waax wabx wacx'), 0::bigint, 'also where the goal says a token three times');
select t.make_corpus('drifted', 500, 60, 0.5);
select ok(
    (select bool_and(abs(q.weight / q.factor - 1) < 0.1) from search.query_terms('drifted', 'waax wadx wabx') as q),
    'of twice as many cards all are weighed anew'
);

select * from finish();
rollback;
