begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
delete from search.coefficient;
insert into search.coefficient (kind, profile, part, feature, weight) values ('tool', 'm', 'score', 'dense', 1);
create temporary table untouched as select * from search.coefficient;
select policies_are('search', 'coefficient', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select c.feature from search.coefficient as c$$, array['dense'], 'sees exactly what it may');
select throws_ok($$update search.coefficient set weight = weight$$, '42501', null, 'may not change');
select throws_ok($$insert into search.coefficient (kind, profile, part, feature, weight) values ('tool', 'm', 'score', 'fuzzy', 2)$$, '42501', null, 'may not add');
select throws_ok($$delete from search.coefficient$$, '42501', null, 'may not delete');
select throws_ok($$truncate search.coefficient$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select c.feature from search.coefficient as c$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from search.coefficient as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'search.coefficient'::regclass;

select * from finish();
rollback;
