begin;
select plan(3);

select t.make_principal('op', 'operator'), t.make_catalog();
select search.put_model('m', 2, true);
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.teach_item('{tool}', 'east', 'time__convert_time', query_vector => '[1, 0, 0]')$$, 'QM422', null, 'refused');
select lives_ok($$select * from api.teach_item('{tool}', 'east', 'time__convert_time', query_vector => '[1, 0, 0, 1]')$$, 'the vectors of its sentences may follow');
select t.act_as_superuser();
select results_eq($$select v.vector::text from search.teaching_vector as v$$, array['[1,0]'], 'only its own is stored');

select * from finish();
rollback;
