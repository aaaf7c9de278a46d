begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
select t.act_as('alice');
select results_eq(
    $$select f.name, f.description, f.input_schema -> 'required' from api.search_tools('current time in a timezone', top => 1, session => 's') as f$$,
    $$values ('time__get_current_time', 'Get the current time in a timezone. Uses the clock of the server.', '["timezone"]'::jsonb)$$, 'the definition'
);
select results_eq($$select e.name from api.list_exposed('s') as e$$, array['time__get_current_time'], 'in the session''s list');
select t.act_as('bob');
select is_empty($$select * from api.list_exposed('s')$$, 'but in nobody else''s');

select * from finish();
rollback;
