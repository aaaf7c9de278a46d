begin;
select plan(2);

select t.make_principal('op', 'operator');
select search.put_model('m', 2, true);
select t.act_as('op', 'qm_operator');
select is(service.store_teachings('m', '{4711}', '{"[1,0]"}'), 0, 'left out');
select throws_ok($$select service.store_teachings('x', '{}', '{}')$$, 'QM404', null, 'an unknown model');

select * from finish();
rollback;
