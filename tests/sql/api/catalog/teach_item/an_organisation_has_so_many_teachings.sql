begin;
select plan(3);

select t.make_principal('op', 'operator'), t.make_catalog();
update core.setting as s set value = '1' where s.name = 'teaching.limit';
select t.act_as('op', 'qm_operator');
select lives_ok($$select * from api.teach_item('{tool}', 'one', 'time__convert_time')$$, 'the first');
select throws_ok($$select * from api.teach_item('{tool}', 'two', 'time__convert_time')$$, 'QM409', null, 'the second');
select lives_ok($$select * from api.teach_item('{tool}', 'ONE', 'time__get_current_time')$$, 'the first again');

select * from finish();
rollback;
