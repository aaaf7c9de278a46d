begin;
select plan(6);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
set constraints all immediate;
select t.at('2030-01-10 00:00+00');
select audit.append('insert', 'a.table');
select t.read_as('op', 'qm_operator');
select throws_ok('select * from api.keep_audit(0)', '42501', null, 'an operator may not');
select t.read_as('boss', 'qm_admin');
select t.at('2030-03-10 00:00+00');
select throws_ok('select * from api.keep_audit(-1)', 'QM422', null, 'less than nothing');
select ok('record_2030_01' in (select k.partition from api.keep_audit(1, true) as k), 'a preview says what would go');
select is(core.get_setting('audit.keep_months'), '0', 'and changes nothing');
select ok('record_2030_01' in (select k.partition from api.keep_audit(1) as k), 'then it goes');
select is(core.get_setting('audit.keep_months'), '1', 'and the time is kept');

select * from finish();
rollback;
