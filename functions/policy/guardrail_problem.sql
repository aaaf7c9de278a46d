create or replace function policy.guardrail_problem(p_guardrail jsonb, out key text, out problem text)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with member as (
        select m.key, m.value
        from jsonb_each(case jsonb_typeof(p_guardrail) when 'object' then p_guardrail else '{}' end) as m
    )
    select p.key, p.problem
    from (
        select
            1 as position,
            null as key,
            'a guardrail must be an object {subject, origins, instructions, personal, secrets, result_bytes}' as problem
        where jsonb_typeof(p_guardrail) is distinct from 'object'
        union all
        select 2, m.key, 'the keys are subject, origins, instructions, personal, secrets and result_bytes'
        from member as m
        where m.key !~ '^(subject|origins|instructions|personal|secrets|result_bytes)$'
        union all
        select 3, 'subject', policy.subject_problem(p_guardrail ->> 'subject')
        union all
        select 4, m.key, 'expected a list of names'
        from member as m
        where m.key = 'origins' and not coalesce(policy.text_list(m.value) <> '{}', false)
        union all
        select 5, m.key, 'expected a number of bytes, from 1 to 1000000000'
        from member as m
        where m.key = 'result_bytes'
            and case jsonb_typeof(m.value)
                when 'number' then (m.value #>> '{}')::numeric not between 1 and 1000000000
                else true
            end
        union all
        select 6, m.key, 'expected deliver, mark or mask'
        from member as m
        where m.key ~ '^(instructions|personal|secrets)$' and m.value not in ('"deliver"', '"mark"', '"mask"')
    ) as p
    where p.problem is not null
    order by p.position, p.key collate core.c_utf8
    limit 1;
$function$;
comment on function policy.guardrail_problem(jsonb) is
'Checks a guardrail (a rule that says how results of tools are changed). Argument p_guardrail: the guardrail as JSON. '
'Returns the key that contains the first mistake, and the reason. The key is null if the guardrail as a whole is '
'wrong. Both are null if there is no mistake.';
