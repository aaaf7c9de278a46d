begin;
select plan(5);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
set constraints all immediate;
select t.act_as('op', 'qm_operator');
select throws_ok('select * from api.list_audit()', '42501', null, 'an operator may not');
select t.act_as('boss', 'qm_admin');
select api.create_principal('alice'), api.enable_principal('alice', false);
select results_eq($$select l.action, l.object, l.principal from api.list_audit(2) as l$$, $$values ('update', 'alice', 'boss'), ('insert', 'alice', 'boss')$$, 'the newest first');
select is((select count(*) from api.list_audit(of_table => 'policy.principal', of_object => 'alice', by_principal => 'boss') as l), 2::bigint, 'of one row');
select throws_ok($$select * from api.list_audit(of_table => 'zzz')$$, 'QM422', null, 'a table that is not recorded');
select t.act_as(null, 'qm_admin');
select is_empty('select * from api.list_audit()', 'nobody sees none');

select * from finish();
rollback;
