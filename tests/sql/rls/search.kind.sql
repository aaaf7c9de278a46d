begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
create temporary table untouched as select * from search.kind;
select policies_are('search', 'kind', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select k.name from search.kind as k order by k.name$$, array['instructions', 'lookup', 'lookup_table', 'prompt', 'resource', 'resource_template', 'tool'], 'sees exactly what it may');
select throws_ok($$update search.kind set description = description$$, '42501', null, 'may not change');
select throws_ok($$insert into search.kind (name, description) values ('x', '')$$, '42501', null, 'may not add');
select throws_ok($$delete from search.kind$$, '42501', null, 'may not delete');
select throws_ok($$truncate search.kind$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select k.name from search.kind as k$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from search.kind as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'search.kind'::regclass;

select * from finish();
rollback;
