begin;
select plan(6);

select t.make_principal('op', 'operator'), t.make_catalog();
select search.put_model('m', 2, true);
create function pg_temp.matched(p_goal text, p_vector ext.vector) returns table (name text, against text, nearness numeric)
language sql security definer as $$
    select t.name_of(m.card_id), t.name_of(m.against_id), case when m.nearness < 2 then round(m.nearness::numeric, 2) end
    from search.match_teachings('tool', p_goal, p_vector) as m;
$$;
select t.act_as('op', 'qm_operator');
select * from api.teach_item('{tool}', 'east', 'time__convert_time', 'time__get_current_time', query_vector => '[1, 0]');
select * from api.teach_item('{tool}', 'north', 'tracker__create_ticket', query_vector => '[0, 1]');
select results_eq($$select * from pg_temp.matched('x', '[0.8, 0.6]')$$, $$values ('time__convert_time', 'time__get_current_time', 0.80), ('tracker__create_ticket', null, 0.60)$$, 'the nearest first');
select results_eq($$select m.name from pg_temp.matched('x', '[0.96, 0.28]') as m$$, array['time__convert_time'], 'below the setting, none');
select results_eq($$select m.name, m.nearness from pg_temp.matched('NORTH', null) as m$$, $$values ('tracker__create_ticket', null::numeric)$$, 'without a vector, the same goal');
select is_empty($$select * from pg_temp.matched('x', '[-1, 0]')$$, 'the opposite');
select is_empty($$select * from pg_temp.matched('x', '[1, 0, 0]')$$, 'a vector of another model');
select t.act_as_superuser();
update search.model as m set active = false;
select search.put_model('n', 2, true);
select t.act_as('op', 'qm_operator');
select is_empty($$select * from pg_temp.matched('x', '[1, 0]')$$, 'another model has other vectors');

select * from finish();
rollback;
