begin;
select plan(4);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from service.end_sessions()$$, '42501', null, 'a user ends none');
select t.act_as('op', 'qm_operator');
select throws_ok(
    $$select * from service.end_sessions(memory => '{"1": 1}')$$, '42501', null,
    'nor does an operator, who could say anything about memory'
);
select t.act_as_superuser();
set local role qm_service;
select is_empty($$select * from service.end_sessions()$$, 'sessions within the limits go on');
reset role;
select core.report_capability('session_limits', false, '', '', '');
update core.setting set value = '0' where name = 'login.sessions';
set local role qm_service;
select is_empty($$select * from service.end_sessions()$$, 'nor is any ended where the server does not let the owner');

reset role;
select * from finish();
rollback;
