begin;
select plan(2);

select t.make_project('shop', 'alice');
select t.at('2030-01-01');
create function pg_temp.change(p_health text) returns void language plpgsql security definer as $$
declare
    v_before decisions.decision;
begin
    select d.* into v_before from decisions.decision as d;
    update decisions.decision set health = p_health, updated_at = now();
    perform decisions.record_review(v_before, 'edit', null, 'abcdef1');
end
$$;
select t.act_as('alice', 'qm_user');
select api.put_candidates(jsonb_build_array(t.candidate('Use the session.')));
select pg_temp.change('suspect'), pg_temp.change('suspect');
select t.act_as_superuser();
select results_eq(
    $$select r.at, p.name, r.action, r.reason, r.commit_hash, r.before, r.after from decisions.review as r inner join policy.principal as p on p.id = r.principal_id order by r.id$$,
    $$values
        ('2030-01-01'::timestamptz, 'alice', 'edit', '', 'abcdef1', '{"health": "fresh"}'::jsonb, '{"health": "suspect"}'::jsonb), ('2030-01-01', 'alice', 'edit', '', 'abcdef1', '{}', '{}')$$,
    'only the columns that changed'
);
select is((select count(*) from decisions.review), 2::bigint, 'one for each change');

select * from finish();
rollback;
