begin;
select plan(6);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('someone');
update catalog.origin as o set environment = '{"TOKEN": "secret:shared"}' where o.name = 'time';
update catalog.origin as o set auth = '{"client_secret": "secret:shared"}' where o.name = 'tracker';
update catalog.origin as o set url = 'https://x.example/mcp?key=${secret:in/url}' where o.name = 'tracker';
select t.act_as('someone', 'qm_user');
select throws_ok($$select * from api.renew_credential('secret:shared')$$, '42501', null, 'not by everybody');
select t.act_as('op', 'qm_operator');
select results_eq($$select r.origin from api.renew_credential('secret:shared') as r$$, array['time', 'tracker'], 'what refers to it');
select results_eq($$select r.origin from api.renew_credential('secret:in/url') as r$$, array['tracker'], 'also in a URL');
select is_empty($$select * from api.renew_credential('secret:other')$$, 'and nothing else');
select results_eq($$select r.origin from api.renew_credential(name => 'time') as r$$, array['time'], 'what was logged in to');
select throws_ok($$select * from api.renew_credential(name => 'nope')$$, 'QM404', null, 'an unknown origin');

select * from finish();
rollback;
