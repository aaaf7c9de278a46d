begin;
select plan(3);

select t.make_principal('op', 'operator');
set constraints all immediate;
select t.at('2030-01-10 00:00+00');
select audit.append('insert', 'a.table');
select t.at('2030-03-10 00:00+00');
select t.act_as('op', 'qm_user');
select throws_ok('select * from api.retain_audit()', '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select is_empty('select * from api.retain_audit()', 'without one all is kept');
select t.act_as_superuser();
update core.setting set value = '1' where name = 'audit.keep_months';
select t.act_as('op', 'qm_operator');
select ok('record_2030_01' in (select r.partition from api.retain_audit() as r), 'with one the oldest go');

select * from finish();
rollback;
