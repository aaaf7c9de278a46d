begin;
select plan(4);

select t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select api.allow('network', '10.0.0.1', 'hub');
select throws_ok($$select api.disallow('network', '10.0.0.1')$$, 'QM404', null, 'it was allowed to one origin only');
select is(api.disallow('network', '10.0.0.1', 'hub'), '10.0.0.1/32', 'the value that is removed');
select is_empty($$select * from api.list_allowances()$$, 'it is gone');
select throws_ok($$select api.disallow('network', '10.0.0.1', 'hub')$$, 'QM404', null, 'and cannot be removed twice');

select * from finish();
rollback;
