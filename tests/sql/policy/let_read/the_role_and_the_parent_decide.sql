begin;
select plan(5);

select t.make_principal('alice'), t.make_principal('op', 'operator');
create table t.parent (id integer);
create table t.child (parent_id integer);
alter table t.parent enable row level security;
alter table t.child enable row level security;
insert into t.parent values (1);
insert into t.child values (1), (2);
select policy.let_read('t.parent', 'user');
select policy.let_read('t.child', 'operator', 't.parent', 'parent_id');
select results_eq(
    $$select p.tablename, p.policyname, p.roles @> '{qm_admin,qm_reader}', p.cmd from pg_policies as p where p.schemaname = 't' order by 1$$,
    $$values ('child'::name, 'operator_reads'::name, true, 'SELECT'), ('parent', 'user_reads', true, 'SELECT')$$,
    'a policy of each'
);
select t.read_as('alice');
select is((select count(*) from t.parent), 1::bigint, 'a user reads what users may read');
select is_empty('select from t.child', 'and nothing of operators');
select t.read_as('op', 'qm_operator');
select is((select array_agg(c.parent_id) from t.child as c), '{1}', 'an operator reads what has a parent');
select throws_ok('insert into t.child values (1)', '42501', null, 'and writes nothing');

select * from finish();
rollback;
