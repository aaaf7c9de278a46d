-- policy.rights_of: a rule that denies access takes precedence over a rule that allows access, and any rule takes
-- precedence over the default. A toolset shows only the cards that it pins. Classes of an audience to which the
-- principal does not belong are removed last, whatever the rules say. The function combines only a few bit strings, no
-- matter how many rules and cards there are.
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
    v_closed bit varying; -- classes of audiences
    v_opened bit varying; -- classes of audiences with this principal
begin
    if v_subjects is null then
        return null;
    end if;
    select
        case v.default_effect when 'allow' then ~ bit_or(r.denies) else bit_or(r.allows) & ~ bit_or(r.denies) end,
        bit_or(r.pins),
        bit_or(r.closes)
    into v_visible, v_pinned, v_closed
    from policy.rule_version as v
    cross join policy.subject_rights as r
    where v.is_active and r.subject = any(v_subjects)
    group by v.default_effect;
    if p_toolset is not null then
        v_visible := v_visible & v_pinned;
    end if;
    if position(B'1' in v_closed) > 0 then
        select bit_or(r.classes)
        into v_opened
        from policy.audience_member as m
        inner join policy.audience_rights as r on r.audience_id = m.audience_id
        where m.principal_id = p_principal_id;
        v_visible := v_visible & (~ v_closed | coalesce(v_opened, ~ v_closed));
    end if;
    return v_visible;
end
$function$;
comment on function policy.rights_of(bigint, text) is
'Computes which cards a principal may see. Arguments: p_principal_id: id of the principal; p_toolset: name of a '
'toolset (null: no toolset). Returns one bit for each rights class: 1 if the principal may see the cards of this '
'class, otherwise 0. Returns null if the principal is unknown, or if no version of the rules is active.';
