begin;
select plan(5);

select t.make_principal('op', 'operator'), t.make_catalog();
select search.put_model('m', 2, true);
select t.act_as('op', 'qm_operator');
select * from api.teach_item('{tool}', 'east', 'time__convert_time');
select * from api.teach_item('{tool}', 'north', 'time__convert_time', query_vector => '[0, 1]');
select results_eq($$select c.goal from service.claim_teachings('m') as c$$, array['east'], 'the one without');
select is((select service.store_teachings('m', array_agg(c.teaching), '{"[1,0]"}') from service.claim_teachings('m') as c), 1, 'stored');
select is_empty($$select * from service.claim_teachings('m')$$, 'none is left');
select throws_ok($$select * from service.claim_teachings('x')$$, 'QM404', null, 'an unknown model');
select is_empty($$select * from service.claim_teachings('m', instance => gen_random_uuid())$$, 'another process gets none');

select * from finish();
rollback;
