begin;
select plan(3);

select t.make_principal('alice');
select throws_ok($$select policy.require_service()$$, 'QM403', null, 'nobody is refused');
update policy.principal set database_role = null where database_role = session_user collate core.c_utf8;
update policy.principal set database_role = session_user where name = 'alice';
select throws_ok(
    $$select policy.require_service()$$, 'QM403', format('the session of %I is not a session of the service', session_user), 'alice''s own session is refused'
);
select t.act_as('alice');
select lives_ok($$select service.record_denial('a tool')$$, 'the service is not');

select * from finish();
rollback;
