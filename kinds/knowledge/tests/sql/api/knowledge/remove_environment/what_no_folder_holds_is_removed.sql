begin;
select plan(12);
select t.make_principal('bob'), t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
select t.make_project('shop', 'alice');
create temporary table kept (content bytea) on commit drop;
insert into kept select t.make_library('shop', 'acme');
grant select on kept to public;
create function pg_temp.cards() returns bigint
language sql security definer
as $$select count(*) from search.card as c where c.kind = 'symbol'$$;
create function pg_temp.folder() returns text
language sql security definer
as $$select e.folder from knowledge.environment as e where e.project_id is not null$$;

select t.act_as('op', 'qm_operator');
select throws_ok($$select api.remove_environment(pg_temp.folder(), 'shop')$$, 'QM404', null, 'a project is for its members');
select throws_ok($$select api.remove_environment(pg_temp.folder(), 'alice/shop')$$, 'QM404', null, 'whatever it is called');
select t.act_as('boss', 'qm_admin');
select api.put_environment('/srv/all', array(select k.content from kept as k));
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.remove_environment('/srv/all')$$, 'QM404', null, 'only administrators forget what is for everybody');
select t.act_as('bob', 'qm_user');
select is((select count(*) from api.lookup_symbols('acme', 'parcel')), 1::bigint, 'everybody sees it');

select t.act_as('alice', 'qm_operator');
select results_eq(
    $$select * from api.remove_environment(pg_temp.folder(), 'shop', dry_run => true)$$, $$values (1::bigint, 0::bigint)$$,
    'a folder that everybody may read holds it, too'
);
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.remove_environment('/srv/other')$$, 'QM404', null, 'an unknown folder is an error');
select results_eq($$select * from api.remove_environment('/srv/all', dry_run => true)$$, $$values (1::bigint, 1::bigint)$$, 'only a project of others holds it, too');
select api.remove_environment('/srv/all');
select t.act_as('bob', 'qm_user');
select throws_ok($$select * from api.lookup_symbols('acme', 'parcel')$$, 'QM404', null, 'then it is for the members of that project again');
select t.act_as('alice', 'qm_user');
select is((select count(*) from api.lookup_symbols('acme', 'parcel')), 1::bigint, 'who still see it');

select t.act_as('alice', 'qm_operator');
select results_eq($$select * from api.remove_environment(pg_temp.folder(), 'shop')$$, $$values (1::bigint, 1::bigint)$$, 'no other folder holds it');
select is(pg_temp.cards(), 0::bigint, 'so its cards are gone');
select t.act_as_superuser();
select is((select count(*) from policy.audience as a where a.name like 'documentation of acme%'), 0::bigint, 'and so are its audiences');
select * from finish();
rollback;
