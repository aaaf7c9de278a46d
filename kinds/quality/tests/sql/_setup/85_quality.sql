-- One finding, as a checker reports it.
create function t.finding(
    p_rule text, p_line integer, p_severity text default 'high', p_cwe integer default null, p_is_hint boolean default false
) returns jsonb
language sql as $$
    select jsonb_build_object(
        'rule', p_rule, 'message', p_rule || ' is broken', 'severity', p_severity, 'cwe', p_cwe, 'line', p_line, 'first_column', 0,
        'fingerprint', md5(p_rule || p_line), 'remedy', 'Mend ' || p_rule || '.', 'steps', '[]'::jsonb, 'is_hint', p_is_hint
    );
$$;
comment on function t.finding(text, integer, text, integer, boolean) is 'One finding, as a checker reports it.';

-- What all checkers say about a Python file that is fine, unless the arguments say otherwise.
create function t.scans(
    p_findings jsonb default '{}', p_statuses jsonb default '{}', p_metrics jsonb default '{"coverage_percent": 90}'
) returns jsonb
language sql as $$
    select jsonb_agg(
        jsonb_build_object(
            'tool', c.tool, 'tool_version', '1', 'config_hash', '', 'context_hash', '',
            'status', coalesce(p_statuses ->> c.tool, 'ok'),
            'reason', case when p_statuses ? c.tool then 'it was killed' else '' end,
            'elapsed_ms', 3, 'findings', coalesce(p_findings -> c.tool, '[]'),
            'metrics', case c.tool
                when 'coverage' then jsonb_strip_nulls(jsonb_build_object('coverage_percent', p_metrics -> 'coverage_percent'))
                when 'radon' then '{"complexity_mean": 2, "complexity_max": 4, "maintainability_index": 80, "lines_of_code": 100}'::jsonb || (p_metrics - 'coverage_percent')
                else '{}'
            end
        )
        order by c.tool
    )
    from (
        select unnest('{taint,messaging,decisions,bandit,ruff,secrets,mypy,ty,radon,vulture,coverage,suppressions}'::text[])
        union
        select jsonb_object_keys(p_findings)
    ) as c (tool)
    where coalesce(p_statuses ->> c.tool, '') <> 'absent';
$$;
comment on function t.scans(jsonb, jsonb, jsonb) is
'What all checkers say about a Python file: findings and statuses (ok; absent leaves the checker out) by checker, and numbers.';

-- Stores the scans of a file as the service would. Acts as its principal afterwards.
create function t.scan_file(p_principal text, p_path text, p_scans jsonb, p_blob text default 'a', p_project text default null) returns bigint
language plpgsql as $$
begin
    perform t.act_as(p_principal, 'qm_user');
    return service.store_scans(p_path, left(md5(p_blob) || md5(p_blob), 40), p_scans, p_project);
end
$$;
comment on function t.scan_file(text, text, jsonb, text, text) is 'Stores the scans of a file for a member of the project. Acts as this member afterwards.';
