-- policy.decide: may a principal use what has this rights class, and which rule says so?
-- The first deny of the rules decides; else a toolset that does not pin it; else the first allow; else the default.
create or replace function policy.decide(
    p_principal_id bigint, p_toolset text, p_rights_class integer,
    out is_allowed boolean, out version_id integer, out rule integer, out reason text
)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_subjects constant text[] := policy.subjects_of(p_principal_id, p_toolset);
    v_matchers constant integer[] := (select c.matchers from policy.rights_class as c where c.id = p_rights_class);
    v_default text;
    v_rule policy.rule;
begin
    select v.id, v.default_effect into version_id, v_default from policy.rule_version as v where v.is_active;
    select r.* into v_rule
    from policy.rule as r
    where r.version_id = decide.version_id and r.matcher_id = any(v_matchers) and r.subject = any(v_subjects)
    order by r.effect desc, r.position
    limit 1;

    if v_rule.effect = 'deny' then
        is_allowed := false;
    elsif p_toolset is not null
        and not exists (select from policy.toolset as t where t.name = p_toolset and t.matcher_id = any(v_matchers))
    then
        is_allowed := false;
        reason := format('toolset %s does not hold it', p_toolset);
        return;
    else
        is_allowed := coalesce(v_rule.effect, v_default) = 'allow' and v_subjects is not null and v_matchers is not null;
    end if;
    rule := v_rule.position;
    reason := policy.rule_words(v_rule, v_default);
end
$function$;
comment on function policy.decide(bigint, text, integer) is
'Arguments: principal; toolset or null; rights class. Returns whether it is allowed, the active version, the position of the rule that decided (null: the default or the toolset), and that in words.';
