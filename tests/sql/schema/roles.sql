-- Nobody has more than DESIGN gives.
begin;
select plan(8);

select is_empty($$select rolname from pg_roles where rolname like 'qm\_%' and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)$$, 'no role of ours has an attribute that overrules policies');
select set_eq($$select rolname from pg_roles where rolname in ('qm_owner', 'qm_reader', 'qm_service', 'qm_user', 'qm_operator', 'qm_admin') and rolcanlogin$$, array['qm_service'], 'only the service logs in');
select ok((select not rolinherit from pg_roles where rolname = 'qm_service'), 'and inherits nothing');
select ok(not pg_has_role('qm_service', 'qm_owner', 'member'), 'the service cannot become the owner');
select ok(not pg_has_role('qm_admin', 'qm_owner', 'member'), 'nor can an administrator');
select is_empty($$select r.rolname from pg_roles as r where r.rolname in ('qm_user', 'qm_operator', 'qm_admin') and pg_has_role(r.oid, 'qm_reader', 'member')$$, 'nobody who asks can become the reader');
select is_empty($$select c.oid::regclass from pg_class as c where c.relowner = 'qm_reader'::regrole$$, 'the reader owns no table');
select set_eq(
    $$select c.oid::regclass::text from pg_class as c inner join pg_namespace as n on n.oid = c.relnamespace where n.nspowner = 'qm_owner'::regrole and c.relkind in ('r', 'p', 'v', 'S') and pg_get_userbyid(c.relowner) <> 'qm_owner'$$,
    array[]::text [], 'every table belongs to the owner'
);

select * from finish();
rollback;
