begin;
select plan(4);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
update catalog.origin as o set transport = 'stdio', command = '{x,--token,hunter2hunter2}' where o.name = 'time';
update catalog.origin as o set command = '{x,--token,"${secret:time/token}"}' where o.name = 'time';
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.hide_texts('time', '{}')$$, '42501', null, 'not by an operator');
select t.act_as('root', 'qm_admin');
select is(api.hide_texts('time', '{"hunter2hunter2": "${secret:time/token}"}'), 1, 'one version had it');
select throws_ok($$select api.hide_texts('nope', '{}')$$, 'QM404', null, 'an unknown origin');
reset session authorization;
select is_empty(
    $$select v.version from catalog.origin_version as v where v.connection::text like '%hunter2hunter2%'$$, 'no version has it now'
);

select * from finish();
rollback;
