begin;
select plan(2);

select core.report_capability('session_limits', true, '', '', '');
update core.setting set value = '64' where name = 'login.settings';
create role large_settings in role qm_user;
alter role large_settings set application_name = '0123456789012345678901234567890123456789012345678901234567890123';
create role small_settings in role qm_user;
alter role small_settings set application_name = 'a';
set local role qm_service;
select results_eq(
    $$select login, reason from service.end_sessions(can_reset => true) where reason = 'reset' order by login$$,
    $$values ('large_settings', 'reset')$$,
    'the login that has stored too much, and no other'
);
select is_empty($$select * from service.end_sessions() where reason = 'reset'$$, 'unless the caller cannot reset it');

reset role;
select * from finish();
rollback;
