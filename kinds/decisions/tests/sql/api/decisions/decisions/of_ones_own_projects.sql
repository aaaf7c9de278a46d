begin;
select plan(5);

select t.make_project('shop', 'alice'), t.make_project('stall', 'alice'), t.make_project('shop', 'bob'), t.make_principal('boss', 'admin');
select t.act_as('bob');
select count(*) from api.put_candidates(jsonb_build_array(t.candidate('a secret of bob')), 'bob/shop');
select t.act_as('alice');
select is_empty($$select * from api.decisions$$, 'nothing of another''s project, though it has the same name');
select count(*) from api.put_candidates(jsonb_build_array(t.candidate('use a table')), 'alice/shop');
select count(*) from api.put_candidates(jsonb_build_array(t.candidate('use a counter')), 'alice/stall');
select results_eq(
    $$select d.project, d.status, d.pattern, d.scope from api.decisions as d order by d.id$$,
    $$values ('alice/shop', 'candidate', 'use a table', 'src/api/**'), ('alice/stall', 'candidate', 'use a counter', 'src/api/**')$$, 'of all projects'
);
set local qm.project = 'alice/stall';
select is((select count(*) from api.decisions), 2::bigint, 'whatever the project of the session is');
select is_empty($$select d.id from api.decisions as d except select (f.f ->> 'id')::bigint from (select api.find_decisions('alice/shop') union all select api.find_decisions('alice/stall')) as f (f)$$, 'nothing that find_decisions does not return');
select t.act_as('boss', 'qm_admin');
select is_empty($$select * from api.decisions$$, 'no role makes anybody a member');

select * from finish();
rollback;
