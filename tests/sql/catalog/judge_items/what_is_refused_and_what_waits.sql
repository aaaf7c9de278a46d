begin;
select plan(4);

select t.make_origin('o'), t.make_tool('o', 'known', 'First.');
create function pg_temp.judge(p_by_hand boolean) returns table (name text, public_name text, reason text, waits_because text) language sql as $$
    select j.name, j.public_name, j.reason, j.waits_because
    from catalog.judge_items(
        'tool', '{o,o,o,no_such}', '{"{\"name\": \"known\", \"description\": \"Second.\"}", "{\"name\": \"new\"}", "{\"name\": \"new\"}", "{\"name\": \"x\"}"}', p_by_hand
    ) as j
    order by j.place;
$$;
select results_eq(
    'select * from pg_temp.judge(false)',
    $$values
    ('known', 'o__known', null, 'the item changed'), ('new', 'o__new', null, ''),
    ('new', 'o__new', 'the origin lists this name twice; only the first definition is used', ''), ('x', 'x', 'the origin is unknown', '')$$,
    'by default, changes wait'
);
select is_empty($$select from pg_temp.judge(true) as j where j.waits_because <> ''$$, 'what a person adds does not');
select results_eq(
    $$select j.definition -> 'input_schema', j.labels from catalog.judge_items('tool', '{o}', '{"{\"name\": \"n\", \"categories\": [\"c\"]}"}', true) as j$$,
    $$values ('{"type": "object"}'::jsonb, '{"categories": ["c"], "traits": ["destructive"]}'::jsonb)$$, 'the form that is stored, and its labels'
);
select throws_ok($$select * from catalog.judge_items('no such', '{o}', '{"{}"}', true)$$, 'QM404', null, 'a kind that is not there');

select * from finish();
rollback;
