begin;
select plan(6);

select t.make_principal('bob'), t.make_project('shop', 'alice');
create function pg_temp.invite(p_project text, p_role text default 'member') returns void language sql security definer as $$
    select projects.invite(p.id, u.id, p_role) from projects.project as p cross join policy.principal as u where p.name = p_project and u.name = 'bob'
$$;
create function pg_temp.invited(p_project text) returns text language sql security definer as $$
    select i.role from projects.invitation as i where i.name = p_project
$$;
select t.act_as('alice', 'qm_user');
select api.add_project('p' || n, '/srv') from generate_series(1, 10) as n;
select pg_temp.invite('shop');
select is(pg_temp.invited('shop'), 'member', 'is invited');
select pg_temp.invite('p' || n) from generate_series(1, 9) as n;
select throws_ok($$select pg_temp.invite('p10')$$, 'QM409', 'bob has not accepted any of your last 10 invitations', 'ten wait for an answer');
select lives_ok($$select pg_temp.invite('shop', 'owner')$$, 'one of them may change');
select is(pg_temp.invited('shop'), 'owner', 'which it does');
select t.act_as('bob', 'qm_user');
select api.decline_project('shop'), api.accept_project('p1');
select t.act_as('alice', 'qm_user');
select throws_ok($$select pg_temp.invite('shop')$$, 'QM409', 'bob has declined the invitation to the project shop', 'what was declined is not asked again');
select lives_ok($$select pg_temp.invite('p10')$$, 'an answer makes room');

select * from finish();
rollback;
