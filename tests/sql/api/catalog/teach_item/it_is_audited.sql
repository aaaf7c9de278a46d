begin;
select plan(2);

select t.make_principal('op', 'operator'), t.make_catalog();
set constraints all immediate;
select t.act_as('op', 'qm_operator');
select * from api.teach_item('{tool}', 'one', 'time__convert_time', reason => 'asked by the team');
select count(*) from api.list_teachings() as l cross join lateral api.forget_teaching(l.teaching) as f;
select t.act_as_superuser();
set constraints all immediate;
select results_eq(
    $$select r.action from audit.record as r where r.table_name = 'search.teaching' order by r.id$$, array['insert', 'delete'], 'both are recorded'
);
select ok(exists (select from audit.record as r where r.after ->> 'reason' = 'asked by the team'), 'with the reason');

select * from finish();
rollback;
