begin;
select plan(2);

select t.make_project('shop', 'alice');
update core.setting set value = '0' where name = 'knowledge.floor';
select knowledge.put_notes(null, jsonb_build_array(t.note('vacuum', 'Vacuum frees dead rows.')));
select knowledge.put_notes(p.id, jsonb_build_array(t.note('rules', 'Vacuum dead rows at noon.'))) from projects.project as p;
create function pg_temp.part(p_goal text) returns jsonb language sql as $$
    select knowledge.task_notes(row(p_goal, p_goal, null, null, '{}', 8, 0, null, 's')::selection.task)
$$;
select t.read_as('alice');
select bag_eq(
    $$select n ->> 'name' as name, n ->> 'text' as text, n ->> 'note_of' as note_of, n ->> 'receipt' is not null as has_receipt from jsonb_array_elements(pg_temp.part('vacuum dead rows')) as n$$,
    $$values ('vacuum', 'Vacuum. About vacuum: Vacuum frees dead rows. [A book]', null, true),
        ('rules', 'According to the project alice/shop: Rules. About rules: Vacuum dead rows at noon. [A book]', 'alice/shop', true)$$,
    'each with its source and its project'
);
select is(pg_temp.part('zebras'), null, 'nothing helps');

select * from finish();
rollback;
