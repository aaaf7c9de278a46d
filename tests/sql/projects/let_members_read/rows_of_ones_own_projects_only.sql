begin;
select plan(5);

create table public.plan (id integer, project_id integer not null);
create table public.step (plan_id integer not null);
alter table public.plan enable row level security;
alter table public.step enable row level security;
grant usage on schema public to qm_reader, qm_admin;
select projects.let_members_read('public.plan'), projects.let_members_read('public.step', 'public.plan', 'plan_id');
select t.make_principal('boss', 'admin');
insert into public.plan values (1, t.make_project('shop', 'alice', 'bob')), (2, t.make_project('blog', 'alice'));
insert into public.step values (1), (2), (2);
select t.read_as('alice');
select results_eq('select p.id from public.plan as p order by 1', '{1,2}'::integer[], 'a member sees the rows of its projects');
select t.read_as('bob');
select results_eq('select p.id from public.plan as p', '{1}'::integer[], 'and of no others');
select results_eq('select s.plan_id from public.step as s', '{1}'::integer[], 'what has a parent is seen with it');
select throws_ok('insert into public.plan values (3, 1)', '42501', null, 'nobody writes');
select t.read_as('boss', 'qm_admin');
select is_empty('select from public.plan', 'an administrator is no member');

select * from finish();
rollback;
