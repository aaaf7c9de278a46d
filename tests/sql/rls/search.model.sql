begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select search.put_model('m', 2, true);
create temporary table untouched as select * from search.model;
select policies_are('search', 'model', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select m.name from search.model as m$$, array['m'], 'sees exactly what it may');
select throws_ok($$update search.model set dimension = dimension$$, '42501', null, 'may not change');
select throws_ok($$insert into search.model (name, dimension) values ('x', 2)$$, '42501', null, 'may not add');
select throws_ok($$delete from search.model$$, '42501', null, 'may not delete');
select throws_ok($$truncate search.model$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select m.name from search.model as m$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from search.model as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'search.model'::regclass;

select * from finish();
rollback;
