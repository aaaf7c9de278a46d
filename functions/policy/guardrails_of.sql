-- policy.guardrails_of: a guardrail is a JSON object. For each of the keys "instructions", "personal", "secrets" and
-- "result_bytes", the first matching guardrail that contains the key decides. If none contains it, the results are
-- delivered without that change. This function runs at every call, and most sets of rules have no guardrails, so this
-- case is checked first.
create or replace function policy.guardrails_of(p_principal_id bigint, p_toolset text, p_origin text)
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every call, and planning has a cost
as $function$
declare
    v_guardrails jsonb;
    v_subjects text[];
begin
    select v.guardrails into v_guardrails from policy.rule_version as v where v.is_active;
    if v_guardrails = '[]' then
        return null;
    end if;
    v_subjects := policy.subjects_of(p_principal_id, p_toolset);
    return (
        select jsonb_object_agg(f.key, f.value)
        from (
            select distinct on (m.key collate core.c_utf8) m.key, m.value
            from jsonb_array_elements(v_guardrails) with ordinality as g (guardrail, position)
            cross join lateral jsonb_each(g.guardrail - '{subject,origins}'::text[]) as m
            where g.guardrail ->> 'subject' = any(v_subjects)
                and (
                    not g.guardrail ? 'origins'
                    or exists (
                        select from unnest(policy.text_list(g.guardrail -> 'origins')) as o (pattern)
                        where p_origin like policy.like_pattern(o.pattern)
                    )
                )
            order by m.key collate core.c_utf8, g.position
        ) as f
        where f.value <> '"deliver"'
    );
end
$function$;
comment on function policy.guardrails_of(bigint, text, text) is
'Decides how the results of an origin''s tools are changed before the results are delivered to a principal. Arguments: '
'p_principal_id: id of the principal; p_toolset: toolset of the session (null: no toolset); p_origin: name of the '
'origin. Returns JSON {instructions, personal, secrets, result_bytes}. The members instructions, personal and secrets '
'are "mark" or "mask"; such a member is missing if texts of this kind are delivered unchanged. The member result_bytes '
'is the maximum size of a result, in bytes. Returns null if everything is delivered unchanged.';
