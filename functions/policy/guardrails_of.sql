-- policy.guardrails_of: decides what happens to the results of an origin's tools before a principal gets them.
-- For each member the first guardrail of the active version that names it and matches decides. What none names is delivered.
create or replace function policy.guardrails_of(p_principal_id bigint, p_toolset text, p_origin text)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_object_agg(f.key, f.value)
    from (
        select distinct on (m.key) m.key, m.value
        from policy.rule_version as v
        cross join lateral jsonb_array_elements(v.guardrails) with ordinality as g (guardrail, position)
        cross join lateral jsonb_each(g.guardrail - '{subject,origins}'::text[]) as m
        where v.is_active
            and g.guardrail ->> 'subject' = any(policy.subjects_of(p_principal_id, p_toolset))
            and (
                not g.guardrail ? 'origins'
                or exists (
                    select from unnest(policy.text_list(g.guardrail -> 'origins')) as o (pattern)
                    where p_origin like policy.like_pattern(o.pattern)
                )
            )
        order by m.key, g.position
    ) as f
    where f.value <> '"deliver"';
$function$;
comment on function policy.guardrails_of(bigint, text, text) is
'Decides what happens to the results of an origin''s tools before a principal gets them. Arguments: p_principal_id: '
'id of the principal; p_toolset: toolset of the session, or null; p_origin: name of the origin. Returns '
'{instructions, personal, secrets: mark or mask; result_bytes}, without kinds of text that are delivered unchanged; '
'null if all is.';
