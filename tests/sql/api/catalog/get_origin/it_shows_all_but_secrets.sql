begin;
select plan(5);

select t.make_catalog(), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select is(api.get_origin('time') ->> 'transport', 'stdio', 'its columns');
select is(jsonb_array_length(api.get_origin('time') -> 'items'), 2, 'its items');
select is(api.get_origin('time') -> 'last_refresh', 'null'::jsonb, 'no refresh yet');
select api.request_refresh('time');
select is(api.get_origin('time') -> 'last_refresh' ->> 'status', 'requested', 'then the last one');
select throws_ok($$select api.get_origin('nope')$$, 'QM404', null, 'an unknown one');

select * from finish();
rollback;
