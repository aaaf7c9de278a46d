begin;
select plan(5);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_catalog();
update catalog.origin set status = 'ready';
update catalog.item set definition = definition || '{"annotations": {"readOnlyHint": true}, "examples": [{}, {}, {}, {}]}' where name = 'convert_time';
select t.act_as('alice');
select throws_ok($$select api.request_probe('time__convert_time')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.request_probe('time__nothing')$$, 'QM404', null, 'an absent tool');
select throws_ok($$select api.request_probe('time__get_current_time')$$, 'QM409', null, 'one that does not say that it reads only');
select is(api.request_probe('time__convert_time'), 3, 'the first three examples');
select is((select c.examples from service.claim_probes() as c), '[{}, {}, {}]', 'are what is run');

select * from finish();
rollback;
