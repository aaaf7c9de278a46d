create or replace function policy.rule_problem(p_rule jsonb, out key text, out problem text)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_subject constant text := p_rule ->> 'subject';
begin
    if jsonb_typeof(p_rule) is distinct from 'object' then
        problem := 'a rule must be an object {effect, subject, ...}';
    elsif p_rule ->> 'effect' is null or p_rule ->> 'effect' not in ('allow', 'deny') then
        key := 'effect';
        problem := 'expected "allow" or "deny"';
    elsif policy.subject_problem(v_subject) is not null then
        key := 'subject';
        problem := policy.subject_problem(v_subject);
    elsif jsonb_typeof(coalesce(p_rule -> 'reason', '""')) <> 'string' then
        key := 'reason';
        problem := 'expected a text';
    else
        select o.key, o.problem
        into key, problem
        from policy.object_problem(p_rule - '{effect,subject,reason}'::text[]) as o;
        problem := replace(problem, 'the keys are kinds', 'the keys are effect, subject, reason, kinds');
    end if;
end
$function$;
comment on function policy.rule_problem(jsonb) is
'Checks a rule. Argument p_rule: the rule as JSON. Returns the key that contains the first mistake, and the reason. '
'The key is null if the rule as a whole is wrong. Both are null if there is no mistake.';
