begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice');
create role qm_test_dba login;
grant qm_user to qm_test_dba;
select policy.put_principal('dba', 'person', 'admin', 'qm_test_dba');
set local synchronous_commit = on;

set local session authorization qm_test_dba;
select name from api.select_tools('time', 'fast') limit 1;
select is(current_setting('synchronous_commit'), 'on', 'what else a person writes in the transaction is safe at its commit');

select t.act_as('alice');
select name from api.search_tools('time', 'fast', session => 's') limit 1;
select is(current_setting('synchronous_commit'), 'on', 'nor may the list of a session be lost');
select name from api.search_tools('time', 'fast') limit 1;
select is(current_setting('synchronous_commit'), 'off', 'a receipt alone does not wait');
select t.act_as_superuser();
select is((select count(*) from selection.receipt as r), 3::bigint, 'each has its receipt');

select * from finish();
rollback;
