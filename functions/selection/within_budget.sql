-- selection.within_budget: the profile, decisions and gates come first, in the given order. Tools, notes and symbols
-- follow in the order of their probability.
-- Notes come with a probability. For tools and symbols, a curve turns the score into a probability. The setting
-- task.scores contains its intercept and slope over the log odds, for each part; lab.comparisons.starting learns them.
-- Rows that are hardly ever needed are left out: see the settings task.floor (for tools), task.note_floor and
-- task.symbol_floor. For symbols, the best score shows whether any symbol is needed, but the scores hardly show which
-- one. If the best score is below task.best_symbol, no symbol is returned; otherwise, even unlikely symbols are
-- returned.
create or replace function selection.within_budget(p_rows jsonb, p_has_vector boolean, p_budget integer)
returns table (part text, name text, text text, score real, tokens integer, receipt bigint, note_of text)
language plpgsql
stable parallel safe security invoker
rows 30
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_curves constant jsonb := core.get_setting('task.scores');
begin
    return query
    with given as (
        select
            r.row ->> 'part' as part,
            r.row ->> 'name' as name,
            r.row ->> 'text' as text,
            coalesce(
                1 / (1 + exp(-((c.curve ->> 0)::real + (c.curve ->> 1)::real * ln(c.score / (1 - c.score))))),
                (r.row ->> 'score')::real
            )::real as score,
            ceil(length(concat(r.row ->> 'name', r.row ->> 'text')) / 4.0)::integer + 8 as tokens,
            (r.row ->> 'receipt')::bigint as receipt,
            r.row ->> 'note_of' as note_of,
            (r.row -> 'is_late') is not null as is_late,
            case when t.is_ranked then 2 else 1 end as tier,
            r.place,
            -- The curves were learned with vectors. Without one, scores only tell which row is better.
            case when p_has_vector then (core.get_setting(t.floor_setting))::real end as floor,
            case when p_has_vector then (core.get_setting(t.best_setting))::real end as best_floor
        from jsonb_array_elements(p_rows) with ordinality as r (row, place)
        left join selection.task_part as t on t.name = r.row ->> 'part'
        cross join lateral (
            select
                v_curves -> (r.row ->> 'part') as curve,
                least(greatest((r.row ->> 'score')::double precision, 0.0001), 0.9999) as score
        ) as c
    ),

    compared as (
        select g.*, max(g.score) over (partition by g.part) as best from given as g
    ),

    summed as (
        select c.*, sum(c.tokens) over (order by c.tier, case when c.tier = 2 then -c.score end, c.place) as used
        from compared as c
        where (c.score < c.floor) is not true and (c.best < c.best_floor) is not true
    ),

    least as ( -- a budget, if the given one is too small for any row
        select min(s.used) as tokens from summed as s where s.part <> 'left_out' having min(s.used) > p_budget
    ),

    told as (
        select s.part, s.name, s.text, s.score, s.tokens, s.receipt, s.note_of, s.tier, s.place
        from summed as s
        where s.used <= p_budget
            -- What was late would not have fitted, either.
            or s.part = 'left_out' and not (s.is_late and exists (select from least))
        union all
        select 'left_out', 'budget_tokens', m.text, null, ceil(length(m.text) / 4.0)::integer + 8, null, null, 1, 0
        from least as l
        cross join lateral format(
            'A budget of %s tokens is too small. The smallest useful budget is %s.', p_budget, l.tokens
        ) as m (text)
    )

    select t.part, t.name, t.text, t.score, t.tokens, t.receipt, t.note_of
    from told as t
    order by t.tier, case when t.tier = 2 then -t.score end, t.place;
end
$function$;
comment on function selection.within_budget(jsonb, boolean, integer) is
'Chooses the rows of an answer to a task that fit a budget. Arguments: p_rows: JSON array of rows {part, name, text, '
'score, receipt, note_of, is_late}; the last four members are optional; note_of is the project of a note; is_late is '
'true if the row says that a part of the answer took too long; p_has_vector: true if the scores were computed with '
'vectors (only then can scores be turned into probabilities); p_budget: maximum number of tokens. Returns the rows in '
'order, with their tokens. Rows that say what was left out are returned even if they exceed the budget. If no other '
'row fits, the rows with is_late are left out, and an added row names the smallest sufficient budget.';
grant execute on function selection.within_budget to qm_reader;
