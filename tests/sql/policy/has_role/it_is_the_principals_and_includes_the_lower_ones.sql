begin;
select plan(4);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
prepare roles as select x.role from unnest('{user,operator,admin,owner}'::text[]) as x (role) where policy.has_role(x.role);

select t.read_as('alice');
select results_eq('roles', '{user}'::text[], 'a user');
select t.read_as('op', 'qm_operator');
select results_eq('roles', '{user,operator}'::text[], 'an operator is a user, too');
select t.read_as('boss', 'qm_admin');
select results_eq('roles', '{user,operator,admin}'::text[], 'an administrator has all');
select t.read_as(null, 'qm_admin');
select is_empty('roles', 'nobody has none, whatever the database role is');

select * from finish();
rollback;
