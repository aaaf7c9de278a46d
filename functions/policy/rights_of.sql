-- policy.rights_of: computes what a principal may see. A rule that denies access takes precedence over a rule that
-- allows access, and any rule takes precedence over the default. A toolset shows only what it pins. Classes of an
-- audience to which the principal does not belong are taken away last, whatever the rules say.
-- The function combines only a few bit strings, no matter how many rules and cards there are.
create or replace function policy.rights_of(p_principal_id bigint, p_toolset text default null)
returns bit varying
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_subjects constant text[] := policy.subjects_of(p_principal_id, p_toolset);
    v_visible bit varying;
    v_pinned bit varying;
    v_closed bit varying; -- classes of audiences without this principal
begin
    if v_subjects is null then
        return null;
    end if;
    select
        case v.default_effect when 'allow' then ~ bit_or(r.denies) else bit_or(r.allows) & ~ bit_or(r.denies) end,
        bit_or(r.pins)
    into v_visible, v_pinned
    from policy.rule_version as v
    cross join policy.subject_rights as r
    where v.is_active and r.subject = any(v_subjects)
    group by v.default_effect;
    if p_toolset is not null then
        v_visible := v_visible & v_pinned;
    end if;
    select bit_or(r.classes) into v_closed
    from policy.audience_rights as r
    where not exists (select from policy.audience_member as m where m.audience_id = r.audience_id and m.principal_id = p_principal_id);
    return v_visible & coalesce(~ v_closed, v_visible);
end
$function$;
comment on function policy.rights_of(bigint, text) is
'Computes what a principal may see. Arguments: p_principal_id: id of the principal; p_toolset: name of a toolset, or '
'null. Returns one bit for each rights class, 1 if the class is visible; returns null if the principal is unknown or '
'no version is active.';
