begin;
select plan(6);
select t.make_principal('bob'), t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
select t.make_project('shop', 'alice');
create temporary table kept (content bytea) on commit drop;
insert into kept select t.make_library('shop', 'acme');
grant select on kept to public;

select t.act_as('op', 'qm_operator');
select throws_ok($$select api.put_environment('/srv/x', '{}')$$, 'QM422', null, 'only administrators index for everybody');
select throws_ok($$select api.put_environment('/srv/x', '{}', 'shop')$$, 'QM404', null, 'a project is for its members');

select t.act_as('boss', 'qm_admin');
select lives_ok($$select api.put_environment('/srv/all', array(select k.content from kept as k))$$, 'an administrator shares it');
select t.act_as('bob', 'qm_user');
select is((select count(*) from api.lookup_symbols('acme', 'parcel')), 1::bigint, 'then everybody sees it');

select t.act_as('boss', 'qm_admin');
select api.put_environment('/srv/all', '{}');
select t.act_as_superuser();
delete from knowledge.environment as e where e.project_id is not null;
select t.act_as('boss', 'qm_admin');
select throws_ok($$select * from api.lookup_symbols('acme', 'parcel')$$, 'QM404', null, 'what no environment holds is gone');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from api.lookup_symbols('acme', 'parcel')$$, 'QM404', null, 'also for the project');
select * from finish();
rollback;
