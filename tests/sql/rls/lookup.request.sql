begin;
select plan(14);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('boss', 'admin');
select t.make_requests('alice', '{"key": "1"}'), t.make_requests('bob', '{"key": "2"}');
create temporary table untouched as select * from lookup.request;
select policies_are('lookup', 'request', array['owner_all', 'user_reads', 'admin_reads']::name [], 'these policies and no other');
select t.act_as('alice');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select r.key from lookup.request as r$$, array['1'], 'sees exactly its own');
select throws_ok($$update lookup.request set query = 'x'$$, '42501', null, 'may not change');
select throws_ok($$insert into lookup.request (door) values ('mcp')$$, '42501', null, 'may not add');
select throws_ok($$delete from lookup.request$$, '42501', null, 'may not delete');
select throws_ok($$truncate lookup.request$$, '42501', null, 'may not empty');
select throws_ok($$select api.record_lookups('[]')$$, '42501', null, 'nor call what writes it');
select t.act_as('boss', 'qm_admin');
select is((select count(*) from lookup.request), 2::bigint, 'an administrator sees all');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select r.key from lookup.request as r$$, 'without a principal nothing is seen');
select t.act_as('bob', 'qm_operator');
select results_eq($$select r.key from lookup.request as r$$, array['2'], 'an operator, too, sees its own only');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from lookup.request as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'lookup.request'::regclass;

select * from finish();
rollback;
