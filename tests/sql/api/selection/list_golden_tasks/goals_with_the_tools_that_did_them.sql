begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
insert into selection.judgement (kind, goal_hash, ref, goal, mode, successes, passed_over, first_at, last_at)
select 'tool', sha256(convert_to(j.goal, 'UTF8')), x.id, j.goal, 'fast', j.successes, j.passed_over, '2026-01-01', '2026-01-02'
from (
    values ('what time', 'time__get_current_time', 3, 0), ('what time', 'time__convert_time', 1, 2), ('what time', 'tracker__listTickets', 0, 2), ('ticket', 'tracker__create_ticket', 1, 0),
    ('passed over', 'tracker__create_ticket', 0, 1)
) as j (goal, name, successes, passed_over)
inner join catalog.item as x on x.public_name = j.name;
select t.act_as('alice');
select throws_ok($$select * from api.list_golden_tasks()$$, '42501', null, 'not for users');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select g.goal, g.mode, g.gold_tools, g.hard_negatives from api.list_golden_tasks() as g order by 1$$,
    $$values ('ticket', 'fast', '{tracker/create_ticket}'::text[], '{}'::text[]), ('what time', 'fast', '{time/get_current_time,time/convert_time}', '{tracker/listTickets}')$$, 'the most successful first'
);
select results_eq($$select g.goal, g.gold_tools from api.list_golden_tasks(2) as g$$, $$values ('what time', '{time/get_current_time}'::text[])$$, 'as often as asked for');
select is((select g.notes from api.list_golden_tasks(2) as g), 'called successfully 4 times, first on 2026-01-01, last on 2026-01-02', 'how it is known');
select t.act_as_superuser();
select catalog.deprecate_items(catalog.origin_id('tracker'), '{tool}', 'infinity');
select t.act_as('op', 'qm_operator');
select results_eq($$select g.goal from api.list_golden_tasks() as g$$, array['what time'], 'a tool that is gone is no answer');
select is((select g.hard_negatives from api.list_golden_tasks() as g), '{}', 'of any kind');

select * from finish();
rollback;
