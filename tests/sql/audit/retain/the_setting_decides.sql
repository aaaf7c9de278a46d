begin;
select plan(4);

select t.make_principal('op', 'operator');
set constraints all immediate;
select t.at('2030-01-10 00:00+00');
select audit.append('insert', 'a.table');
select t.at('2030-03-10 00:00+00');
select t.act_as('op', 'qm_operator');
select throws_ok('select audit.retain()', '42501', null, 'not by hand');
select results_eq($$select r.result from api.run_job('retain') as r$$, $$values ('{"partitions": 0, "records": 0}'::jsonb)$$, 'without a time all is kept');
select t.act_as_superuser();
update core.setting set value = '1' where name = 'audit.keep_months';
select t.act_as('op', 'qm_operator');
select ok((select (r.result ->> 'partitions')::integer > 0 from api.run_job('retain') as r), 'with one the oldest go');
select t.act_as_superuser();
select is(to_regclass('audit.record_2030_01'), null, 'whole');

select * from finish();
rollback;
