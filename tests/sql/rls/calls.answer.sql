begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('alice');
create temporary table kept as
select api.keep_page(b.call_id, core.now(), 'what alice was told', 'text/plain') as handle
from api.call_begin('time__convert_time', 0, 'request of alice', gen_random_uuid()) as b;
grant select on kept to public;
select t.act_as_superuser();
create temporary table untouched as select * from calls.answer;
select policies_are('calls', 'answer', array['owner_all']::name [], 'this policy and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select p.page from kept as k cross join api.read_page(k.handle) as p$$, array['what alice was told'], 'sees exactly its own');
select throws_ok($$select * from calls.answer$$, '42501', null, 'and that through the function only');
select throws_ok($$update calls.answer set body = 'x'$$, '42501', null, 'may not change');
select throws_ok($$insert into calls.answer default values$$, '42501', null, 'may not add');
select throws_ok($$delete from calls.answer$$, '42501', null, 'may not delete');
select throws_ok($$truncate calls.answer$$, '42501', null, 'may not empty');
select t.act_as('bob');
select throws_ok($$select p.page from kept as k cross join api.read_page(k.handle) as p$$, 'QM404', null, 'another''s is not there');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select * from calls.answer$$, '42501', null, 'nor do administrators read what others were told');
select t.act_as(null, 'qm_user');
select throws_ok($$select p.page from kept as k cross join api.read_page(k.handle) as p$$, 'QM403', null, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from calls.answer as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'calls.answer'::regclass;

select * from finish();
rollback;
