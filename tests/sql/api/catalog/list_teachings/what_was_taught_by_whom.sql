begin;
select plan(3);

select t.make_principal('op', 'operator'), t.make_catalog();
select t.act_as('op', 'qm_operator');
select is_empty($$select * from api.list_teachings()$$, 'nothing yet');
select * from api.teach_item('{tool}', 'one', 'time__convert_time', 'time__get_current_time', reason => 'why not');
select results_eq(
    $$select l.goal, l.name, l.instead_of, l.kind, l.reason, l.created_by from api.list_teachings('{tool}') as l$$,
    $$values ('one', 'time__convert_time', 'time__get_current_time', 'tool', 'why not', 'op')$$, 'all of it'
);
select is_empty($$select * from api.list_teachings('{prompt}')$$, 'of this kind');

select * from finish();
rollback;
