begin;
select plan(10);

select t.make_principal('alice');
create temporary table untouched as select * from search.feature_set;
select policies_are('search', 'feature_set', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select set_eq($$select s.name from search.feature_set as s$$, array['text', 'names'], 'sees exactly what it may');
select throws_ok($$update search.feature_set set features = features$$, '42501', null, 'may not change');
select throws_ok($$insert into search.feature_set (name, description, candidates_function, features, channels) values ('x', '', 'x', '{}', '{}')$$, '42501', null, 'may not add');
select throws_ok($$delete from search.feature_set$$, '42501', null, 'may not delete');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select s.name from search.feature_set as s$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from search.feature_set as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'search.feature_set'::regclass;

select * from finish();
rollback;
