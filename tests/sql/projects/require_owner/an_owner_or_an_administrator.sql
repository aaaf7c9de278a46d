begin;
select plan(5);

select t.make_principal('boss', 'admin'), t.make_project('shop', 'alice', 'bob');
create function pg_temp.required(p_name text default null) returns text language sql security definer as $$
    select p.name from projects.project as p where p.id = projects.require_owner(p_name)
$$;
select t.act_as('alice', 'qm_user');
select is(pg_temp.required(), 'shop', 'an owner, also without its name');
select t.act_as('boss', 'qm_admin');
select is(pg_temp.required('alice/shop'), 'shop', 'an administrator, who is no member');
select t.act_as('bob', 'qm_user');
select throws_ok('select pg_temp.required()', 'QM403', 'you do not own the project shop', 'a member does not own it');
select throws_ok($$select pg_temp.required('mill')$$, 'QM404', null, 'what is not there has no owner');
select t.act_as(null);
select throws_ok($$select pg_temp.required('shop')$$, 'QM403', null, 'nobody owns anything');

select * from finish();
rollback;
