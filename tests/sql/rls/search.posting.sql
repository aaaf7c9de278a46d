begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select search.put_model('m', 2, true), t.embed_cards('tool', 'm');
create temporary table untouched as select * from search.posting;
select policies_are('search', 'posting', array['owner_all']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select * from search.posting$$, '42501', null, 'may not read it at all');
select throws_ok($$update search.posting set block = block$$, '42501', null, 'may not change');
select throws_ok($$insert into search.posting (term_id, block, weights) values (1, 0, '{}/2048')$$, '42501', null, 'may not add');
select throws_ok($$delete from search.posting$$, '42501', null, 'may not delete');
select throws_ok($$truncate search.posting$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select throws_ok($$select * from search.posting$$, '42501', null, 'nor without a principal');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from search.posting as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'search.posting'::regclass;

select * from finish();
rollback;
