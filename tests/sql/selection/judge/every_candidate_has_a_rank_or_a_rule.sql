begin;
select plan(3);

create function pg_temp.judged(p_shown bigint[], p_budget integer default null, p_least real default 0) returns table (card_id bigint, rank integer, rule text, is_tied boolean) language sql as $$
    select j.* from selection.judge(
        array[(1, 1, 0, null, 0, null, null, null, 0.9, 10, 0.5, null, null, null, null), (2, 2, 0, null, 0, null, null, null, 0.8, 10, 0.4, null, null, null, null), (3, 3, 0, null, 0, null, null, null, 0.7, 50, 0.3, null, null, null, null), (4, 4, 0, null, 0, null, null, null, 0.7, 10, null, null, null, null, null), (5, 5, 0, null, 0, null, null, null, 0.1, 10, 0.1, null, null, null, null)]::selection.candidate[],
        p_shown, p_budget, p_least
    ) as j order by j.card_id;
$$;
select results_eq(
    $$select * from pg_temp.judged('{1, 4}')$$,
    $$values (1::bigint, 1, null::text, false), (2, null, 'redundant', false), (3, null, 'redundant', true), (4, 2, null, true), (5, null, 'below_cut', false)$$, 'shown by diversity'
);
select results_eq(
    $$select j.rank, j.rule from pg_temp.judged('{1, 2, 4}', 40) as j$$,
    $$values (1, null::text), (2, null), (null, 'over_budget'), (3, null), (null, 'below_cut')$$, 'within a budget'
);
select results_eq(
    $$select j.rank, j.rule from pg_temp.judged('{1}', null, 0.35) as j$$,
    $$values (1, null::text), (null, 'below_cut'), (null, 'unlikely'), (null, 'below_cut'), (null, 'unlikely')$$,
    'too improbable; a card without a probability is not'
);

select * from finish();
rollback;
