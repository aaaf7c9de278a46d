begin;
select plan(11);

select t.make_lookups(), t.make_principal('alice');
create temporary table untouched as select * from search.name_posting;
select policies_are('search', 'name_posting', array['owner_all']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select * from search.name_posting$$, '42501', null, 'may not read it at all');
select throws_ok($$update search.name_posting set block = block$$, '42501', null, 'may not change');
select throws_ok($$insert into search.name_posting (term_id, block, places) values (1, 0, '{0}')$$, '42501', null, 'may not add');
select throws_ok($$delete from search.name_posting$$, '42501', null, 'may not delete');
select throws_ok($$truncate search.name_posting$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select throws_ok($$select * from search.name_posting$$, '42501', null, 'nor without a principal');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from search.name_posting as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'search.name_posting'::regclass;

select * from finish();
rollback;
