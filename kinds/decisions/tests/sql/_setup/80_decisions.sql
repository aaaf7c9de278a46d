-- A candidate; p_more changes or adds members.
create function t.candidate(p_pattern text, p_more jsonb default '{}') returns jsonb
language sql immutable as $$
    select jsonb_build_object(
        'pattern', p_pattern, 'scope', '{"kind": "path", "value": "src/api/**"}'::jsonb, 'polarity', 'do', 'confidence', 'high', 'origin', 'bootstrap',
        'miner', 'test', 'evidence', '[{"kind": "file", "path": "src/api/users.py", "line": 3, "role": "supports", "excerpt": "an excerpt"}]'::jsonb
    ) || p_more;
$$;

-- Canonical decisions of a project, approved by a curator called cora, who becomes a member; returns their ids.
create function t.make_decisions(p_project text, variadic p_candidates jsonb []) returns bigint []
language plpgsql as $$
declare
    v_ids bigint[];
begin
    if not exists (select from policy.principal as p where p.name = 'cora') then
        perform policy.put_principal('cora', 'person', 'user');
    end if;
    update policy.principal as p set curates_decisions = true where p.name = 'cora';
    insert into projects.member (project_id, principal_id, role)
    select j.id, p.id, 'member' from projects.project as j, policy.principal as p where j.name = p_project and p.name = 'cora'
    on conflict do nothing;
    perform t.log_in('cora');
    v_ids := array(select c.decision from api.put_candidates(to_jsonb(p_candidates), p_project) as c order by c.place);
    perform api.approve_decisions(v_ids, 'a test', p_project);
    perform t.act_as_superuser();
    return v_ids;
end
$$;
comment on function t.make_decisions(text, jsonb []) is 'Makes canonical decisions of a project; acts as the superuser afterwards.';
