-- policy.subject_problem: an unknown subject is a mistake, because a rule for it would deny nothing.
create or replace function policy.subject_problem(p_subject text)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when p_subject is null
            or p_subject !~ '^(everyone|role:(user|operator|admin)|(organisation|principal|toolset):.+)$'
            then 'expected everyone, role:user, role:operator, role:admin, organisation:NAME, principal:NAME or '
                'toolset:NAME'
        when case split_part(p_subject, ':', 1)
            when 'organisation'
                then not exists (select from policy.organisation as o where 'organisation:' || o.name = p_subject)
            when 'principal'
                then not exists (select from policy.principal as p where 'principal:' || p.name = p_subject)
            when 'toolset' then not exists (select from policy.toolset as t where 'toolset:' || t.name = p_subject)
            else false
        end
            then format('there is no %s called %L', split_part(p_subject, ':', 1), split_part(p_subject, ':', 2))
    end;
$function$;
comment on function policy.subject_problem(text) is
'Checks the subject of a rule or guardrail. Argument p_subject: the subject as text. Returns a sentence about the '
'first mistake. Returns null if there is no mistake.';
