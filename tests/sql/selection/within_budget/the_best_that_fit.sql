begin;
select plan(10);

update core.setting set value = '{"tool": [0, 1], "symbol": [-1, 1]}' where name = 'task.scores';
update core.setting set value = '0.1' where name = 'task.floor';
update core.setting set value = '0.2' where name = 'task.note_floor';
update core.setting set value = '0.3' where name = 'task.symbol_floor';
update core.setting set value = '0' where name = 'task.best_symbol';
create function pg_temp.row(p_part text, p_name text, p_score real) returns jsonb language sql as $$
    select jsonb_build_object('part', p_part, 'name', p_name, 'text', repeat('x', 40 - length(p_name)), 'score', p_score, 'receipt', 7)
$$;
create function pg_temp.told(p_budget integer, p_has_vector boolean default true) returns text language sql as $$
    select string_agg(w.name || coalesce(round(w.score::numeric, 2)::text, ''), ' ')
    from selection.within_budget(
        jsonb_build_array(
            pg_temp.row('tool', 'saw', 0.5), pg_temp.row('tool', 'axe', 0.05), pg_temp.row('symbol', 'glue', 0.5), pg_temp.row('symbol', 'nail', 0.4),
            pg_temp.row('note', 'oak', 0.4), pg_temp.row('note', 'elm', 0.15),
            pg_temp.row('left_out', 'gate', null) || '{"is_late": true}', pg_temp.row('profile', 'shop', 1)
        ), p_has_vector, p_budget
    ) as w
$$;
-- Each row takes 18 tokens.
select is(pg_temp.told(1000), 'gate shop1.00 saw0.50 oak0.40', 'what is above the floor of its part, on one scale, after the project');
select is(pg_temp.told(54), 'gate shop1.00 saw0.50', 'as much as fits');
select is(pg_temp.told(36), 'gate shop1.00', 'the project first');
select matches(pg_temp.told(17), '^budget_tokens$', 'nothing fits, so no time is blamed');
select is(
    (select w.text from selection.within_budget(jsonb_build_array(pg_temp.row('tool', 'saw', 0.5)), true, 17) as w),
    'A budget of 17 tokens is too small. The smallest useful budget is 18.', 'it says what is enough'
);
select is(
    pg_temp.told(1000, false), 'gate shop1.00 saw0.50 oak0.40 glue0.27 nail0.20 elm0.15 axe0.05', 'without a vector, scores have no floor'
);
select is((select sum(w.receipt) from selection.within_budget(jsonb_build_array(pg_temp.row('tool', 'saw', 0.5)), true, 18) as w), 7::numeric, 'with its receipt');

-- The symbols have 0.27 and 0.20 on the scale that is told.
update core.setting set value = '0.25' where name = 'task.symbol_floor';
update core.setting set value = '0.26' where name = 'task.best_symbol';
select is(pg_temp.told(1000), 'gate shop1.00 saw0.50 oak0.40 glue0.27', 'the best symbol is likely enough, the other is not');
update core.setting set value = '0.1' where name = 'task.symbol_floor';
select is(pg_temp.told(1000), 'gate shop1.00 saw0.50 oak0.40 glue0.27 nail0.20', 'and so is the other');
update core.setting set value = '0.28' where name = 'task.best_symbol';
select is(pg_temp.told(1000), 'gate shop1.00 saw0.50 oak0.40', 'if the best symbol is unlikely, none is told');

select * from finish();
rollback;
