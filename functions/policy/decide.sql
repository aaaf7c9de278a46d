-- policy.decide: a rights class that belongs to an audience is denied to everybody who is not a member. If a rule
-- denies access, the first such rule decides. Otherwise, a toolset that does not pin the class denies access.
-- Otherwise, the first rule that allows access decides, and if there is none, the default.
create or replace function policy.decide(p_principal_id bigint, p_toolset text, p_rights_class integer)
returns policy.verdict
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_subjects constant text[] := policy.subjects_of(p_principal_id, p_toolset);
    v_matchers integer[];
    v_is_closed boolean;
    v_version_id integer;
    v_default text;
    v_rule policy.rule;
begin
    select v.id, v.default_effect into v_version_id, v_default from policy.rule_version as v where v.is_active;
    select
        c.matchers,
        c.audience_id is not null
        and not exists (
            select from policy.audience_member as a
            where a.audience_id = c.audience_id and a.principal_id = p_principal_id
        )
    into v_matchers, v_is_closed
    from policy.rights_class as c
    where c.id = p_rights_class;
    if v_is_closed then
        return (false, v_version_id, null, 'the card is for its audience only')::policy.verdict;
    end if;
    -- The rules are read only if they can match the class. For most rights classes, no rule matches.
    if v_matchers <> '{}' then
        select r.*
        into v_rule
        from policy.rule as r
        where r.version_id = v_version_id and r.matcher_id = any(v_matchers) and r.subject = any(v_subjects)
        order by r.effect desc, r.position
        limit 1;
    end if;

    if v_rule.effect is distinct from 'deny'
        and p_toolset is not null
        and not exists (select from policy.toolset as t where t.name = p_toolset and t.matcher_id = any(v_matchers))
    then
        return (false, v_version_id, null, format('toolset %s does not contain the item', p_toolset))::policy.verdict;
    end if;
    return (
        coalesce(v_rule.effect, v_default) = 'allow' and v_subjects is not null and v_matchers is not null,
        v_version_id, v_rule.position, policy.rule_words(v_rule, v_default)
    )::policy.verdict;
end
$function$;
comment on function policy.decide(bigint, text, integer) is
'Decides whether a principal may use the cards of a rights class. (The same access rules apply to all cards in a '
'rights class.) Arguments: p_principal_id: id of the principal; p_toolset: name of a toolset (null: no toolset); '
'p_rights_class: id of the rights class. Returns: true if the rules allow access; the number of the active version of '
'the rules; the position of the rule that decided (null: the default, the toolset or the audience decided); the reason '
'in words.';
