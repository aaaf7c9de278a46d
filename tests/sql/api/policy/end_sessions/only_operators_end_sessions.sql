begin;
select plan(3);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from api.end_sessions()$$, '42501', null, 'a user ends none');
select t.act_as('op', 'qm_operator');
select is_empty($$select * from api.end_sessions()$$, 'sessions within the limits go on');
select t.act_as_superuser();
select core.report_capability('session_limits', false, '', '', '');
update core.setting set value = '0' where name = 'login.sessions';
select is_empty($$select * from api.end_sessions()$$, 'nor is any ended where the server does not let the owner');

select * from finish();
rollback;
