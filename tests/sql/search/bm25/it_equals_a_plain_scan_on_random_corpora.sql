-- Sixteen corpora of different size, vocabulary and weights; each is asked five goals.
begin;
select plan(16);

set local enable_nestloop = off;
update core.setting set value = '0' where name = 'weights.tolerance';
select t.make_kind('naive_' || chr(96 + n % 4 + 1), case n % 4 when 0 then '{1, 1, 1, 1}' when 1 then '{3, 2, 1, 0.25}' else '{2, 1, 1, 0.5}' end::real [])
from generate_series(0, 3) as n;

create function pg_temp.differences(p_number integer) returns bigint language plpgsql as $$
declare
    v_kind constant text := 'naive_' || chr(97 + p_number % 4);
    v_goal text;
    v_wrong bigint := 0;
begin
    perform search.remove_cards(v_kind, array(select c.ref from search.card as c where c.kind = v_kind));
    perform t.make_corpus(v_kind, 20 + p_number * 12, 10 + p_number * 22, p_number / 100.0);
    for v_goal in select t.random_goal(10 + p_number * 22, 1 + n * 2) from generate_series(0, 4) as n loop
        v_wrong := v_wrong + (
            select count(*)
            from (select row_number() over () as rank, b.* from search.bm25(v_kind, v_goal, 10) as b) as ours
            full join (
                select row_number() over (order by x.score desc) as rank, x.score
                from t.naive_bm25(v_kind, v_goal) as x
                order by x.score desc
                limit 10
            ) as plain on plain.rank = ours.rank
            left join t.naive_bm25(v_kind, v_goal) as own on own.card_id = ours.card_id
            where ours.rank is null or plain.rank is null
                or abs(ours.score - plain.score) > 0.0005 * plain.score or abs(ours.score - own.score) > 0.0005 * own.score
        );
    end loop;
    return v_wrong;
end
$$;
select is(pg_temp.differences(n), 0::bigint, format('corpus %s', n)) from generate_series(1, 16) as n;

select * from finish();
rollback;
