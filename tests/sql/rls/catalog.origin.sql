begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
create temporary table untouched as select * from catalog.origin;
select policies_are('catalog', 'origin', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select o.name from catalog.origin as o order by o.name$$, array['time', 'tracker'], 'sees exactly what it may');
select throws_ok($$update catalog.origin set description = description$$, '42501', null, 'may not change');
select throws_ok($$insert into catalog.origin (name, slug, transport) values ('x', 'x', 'none')$$, '42501', null, 'may not add');
select throws_ok($$delete from catalog.origin$$, '42501', null, 'may not delete');
select throws_ok($$truncate catalog.origin$$, '42501', null, 'may not empty');
select throws_ok($$select o.environment from catalog.origin as o$$, '42501', null, 'nor read how it is reached');
select throws_ok($$select o.command from catalog.origin as o$$, '42501', null, 'nor its command');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select o.name from catalog.origin as o order by o.name$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from catalog.origin as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'catalog.origin'::regclass;

select * from finish();
rollback;
