begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('alice');
select count(*) from api.search_tools('ticket', top => 1, session => 'session of alice');
select t.act_as('bob');
select count(*) from api.search_tools('ticket', top => 1, session => 'session of bob');
select t.act_as_superuser();
create temporary table untouched as select * from selection.exposure;
select policies_are('selection', 'exposure', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select e.session from selection.exposure as e$$, array['session of alice'], 'sees exactly what it may');
select throws_ok($$update selection.exposure set session = session$$, '42501', null, 'may not change');
select throws_ok($$insert into selection.exposure (session, principal_id, kind, ref) values ('x', 1, 'tool', 1)$$, '42501', null, 'may not add');
select throws_ok($$delete from selection.exposure$$, '42501', null, 'may not delete');
select throws_ok($$truncate selection.exposure$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select e.session from selection.exposure as e$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from selection.exposure as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'selection.exposure'::regclass;

select * from finish();
rollback;
