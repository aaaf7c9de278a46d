begin;
select plan(5);

select t.make_project('shop', 'alice', 'bob'), t.make_principal('mallory');
select t.act_as('alice', 'qm_user');
select api.put_candidates(jsonb_build_array(t.candidate('Count from one.', '{"polarity": "maybe"}'), t.candidate('Use the session.'), t.candidate(' ', '{"miner": null}')));
select results_eq(
    $$select r.pattern, r.miner, r.reason from api.list_refusals() as r$$,
    $$values (' ', null, 'pattern is missing: say what to do, as an instruction'), ('Count from one.', 'test', 'polarity is do or avoid')$$, 'what was refused, and why'
);
select is((select array_agg(r.pattern) from api.list_refusals(maximum => 1) as r), '{" "}', 'so many');
select t.act_as('bob', 'qm_user');
select is((select count(*) from api.list_refusals()), 2::bigint, 'other members see them');
select t.act_as_superuser();
select t.make_project('blog', 'bob'), t.act_as('bob', 'qm_user');
select is_empty($$select * from api.list_refusals('blog')$$, 'each project has its own');
select t.act_as('mallory', 'qm_user');
select throws_ok($$select * from api.list_refusals('shop')$$, 'QM404', null, 'nobody else sees them');

select * from finish();
rollback;
