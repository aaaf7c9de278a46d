-- policy.guardrail_problem: returns the first mistake in a guardrail; nulls if there is none.
create or replace function policy.guardrail_problem(p_guardrail jsonb, out key text, out problem text)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if jsonb_typeof(p_guardrail) is distinct from 'object' then
        problem := 'a guardrail must be an object {subject, origins, instructions, personal, secrets, result_bytes}';
        return;
    end if;
    select k.key into key
    from jsonb_object_keys(p_guardrail) as k (key)
    where k.key !~ '^(subject|origins|instructions|personal|secrets|result_bytes)$'
    order by k.key
    limit 1;
    if key is not null then
        problem := 'the keys are subject, origins, instructions, personal, secrets and result_bytes';
    elsif policy.subject_problem(p_guardrail ->> 'subject') is not null then
        key := 'subject';
        problem := policy.subject_problem(p_guardrail ->> 'subject');
    elsif p_guardrail ? 'origins'
        and not coalesce(policy.text_list(p_guardrail -> 'origins') <> '{}', false)
    then
        key := 'origins';
        problem := 'expected a list of names';
    elsif p_guardrail ? 'result_bytes'
        and (jsonb_typeof(p_guardrail -> 'result_bytes') <> 'number' or (p_guardrail ->> 'result_bytes')::numeric not between 1 and 1000000000)
    then
        key := 'result_bytes';
        problem := 'expected a number of bytes, from 1 to 1000000000';
    else
        select m.key into key
        from jsonb_each_text(p_guardrail) as m
        where m.key ~ '^(instructions|personal|secrets)$'
            and coalesce(m.value, '') not in ('deliver', 'mark', 'mask')
        order by m.key
        limit 1;
        if key is not null then
            problem := 'expected deliver, mark or mask';
        end if;
    end if;
end
$function$;
comment on function policy.guardrail_problem(jsonb) is
'Checks a guardrail. Argument p_guardrail: the guardrail as JSON. Returns the key that contains the first mistake, and '
'the reason. The key is null if the guardrail as a whole is wrong. Both are null if there is no mistake.';
