begin;
select plan(12);

select t.make_principal('boss', 'admin'), t.make_principal('alice'), t.make_principal('bob');
select t.act_as('boss', 'qm_admin');
select api.bind_subject('alice', 'https://issuer', 'sub-1'), api.bind_subject('bob', 'https://issuer', 'sub-2'), api.enable_principal('bob', false);
select t.act_as_superuser();
set local session authorization qm_service;
select is(current_user, 'qm_service', 'as the service before it takes a role');
select throws_ok($$select * from service.authenticate_token('https://issuer', 'sub-9', now())$$, 'QM403', null, 'an unknown subject');
select throws_ok($$select * from service.authenticate_token('https://other', 'sub-1', now())$$, 'QM403', null, 'a subject of another issuer');
select throws_ok($$select * from service.authenticate_token('https://issuer', 'sub-2', now())$$, 'QM403', null, 'one whose principal is disabled');
select throws_ok($$select * from service.authenticate_token('https://issuer', 'sub-2', now(), creates => true)$$, 'QM403', null, 'also where subjects become principals');
select throws_ok($$select * from service.authenticate_token('https://issuer', 'sub-9', now(), 'local', creates => true)$$, 'QM409', null, 'a name never makes it somebody who is there');
select throws_ok($$select * from service.authenticate_token('https://issuer', 'boss', now(), creates => true)$$, 'QM409', null, 'nor does a subject');
select results_eq($$select a.principal, a.role from service.authenticate_token('https://issuer', 'sub-1', now()) as a$$, $$values ('alice', 'user')$$, 'a bound one comes in');
select results_eq($$select a.principal, a.role from service.authenticate_token('https://issuer', 'sub-3', now(), 'carol', creates => true) as a$$, $$values ('carol', 'user')$$, 'a new one where that is wanted');
select results_eq($$select a.principal from service.authenticate_token('https://issuer', 'sub-3', now(), 'renamed') as a$$, array['carol'], 'who is then known');

select throws_ok($$select * from service.authenticate_token('https://issuer', 'sub-4', now(), claimed_organisation => 'none', creates => true)$$, 'QM404', null, 'an organisation that is none');
select t.act_as_superuser();
select results_eq($$select p.name from policy.principal as p inner join policy.identity as i on i.principal_id = p.id order by 1$$, array['alice', 'bob', 'carol'], 'each identity is one principal');

select * from finish();
rollback;
