begin;
select plan(4);

select t.make_principal('op', 'operator'), t.make_principal('alice');
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(t.note('a', 'One.'), t.note('b', 'Two.', 'databases', 'It gives orders.')), 'x');
select t.act_as('alice', 'qm_user');
select is((select count(*) from api.list_experts()), 16::bigint, 'there are sixteen');
select results_eq(
    $$select notes, passages, verified from api.list_experts() where domain = 'databases'$$, $$values (1::bigint, 1::bigint, 1::bigint)$$,
    'quarantined notes do not count'
);
select t.act_as_superuser();
select is(
    (
        select count(*)
        from unnest('{security,performance,testing,data-privacy,accessibility,ux,code-quality,architecture,devops,documentation,ai-frameworks,observability,api-design,cloud-infrastructure,database,agent-learning}'::text[]) as w (word)
        where knowledge.find_domain(w.word) is not null
    ), 16::bigint, 'the names of the seed are understood'
);
update core.setting set value = '10' where name = 'knowledge.fresh_for';
select t.act_as('alice', 'qm_user');
select is((select stale from api.list_experts() where domain = 'databases'), 1::bigint, 'notes get old');

select * from finish();
rollback;
