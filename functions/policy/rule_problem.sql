-- policy.rule_problem: returns the first mistake in a rule, or nulls if there is no mistake. An unknown subject is a
-- mistake, because a rule for such a subject would have no effect.
create or replace function policy.rule_problem(p_rule jsonb, out key text, out problem text)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_subject constant text := p_rule ->> 'subject';
    v_name constant text := split_part(v_subject, ':', 2);
begin
    if jsonb_typeof(p_rule) is distinct from 'object' then
        problem := 'a rule must be an object {effect, subject, ...}';
    elsif p_rule ->> 'effect' is null or p_rule ->> 'effect' not in ('allow', 'deny') then
        key := 'effect';
        problem := 'expected allow or deny';
    elsif v_subject is null or v_subject !~ '^(everyone|role:(user|operator|admin)|(organisation|principal|toolset):.+)$' then
        key := 'subject';
        problem := 'expected everyone, role:user, role:operator, role:admin, organisation:NAME, principal:NAME or toolset:NAME';
    elsif (case split_part(v_subject, ':', 1)
        when 'organisation' then not exists (select from policy.organisation as o where 'organisation:' || o.name = v_subject)
        when 'principal' then not exists (select from policy.principal as p where 'principal:' || p.name = v_subject)
        when 'toolset' then not exists (select from policy.toolset as t where 'toolset:' || t.name = v_subject)
        else false
    end) then
        key := 'subject';
        problem := format('there is no %s called %L', split_part(v_subject, ':', 1), v_name);
    elsif jsonb_typeof(coalesce(p_rule -> 'reason', '""')) <> 'string' then
        key := 'reason';
        problem := 'expected a text';
    else
        select o.key, o.problem into key, problem
        from policy.object_problem(p_rule - '{effect,subject,reason}'::text[]) as o;
        problem := replace(problem, 'the keys are kinds', 'the keys are effect, subject, reason, kinds');
    end if;
end
$function$;
comment on function policy.rule_problem(jsonb) is
'Returns the first mistake in a rule, or nulls if there is no mistake. Argument p_rule: the rule as JSON. Returns the '
'key that is wrong (null if the rule as a whole is wrong) and the reason.';
