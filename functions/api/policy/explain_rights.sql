-- Definer: the decision depends on rows of policy.principal and policy.audience_member that operators may not see. From
-- these rows, they get only the decision about one item, and its reason.
create or replace function api.explain_rights(
    principal text, name text, toolset text default null, kind text default null
)
returns table (is_allowed boolean, version integer, rule integer, reason text)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id bigint;
    v_kind constant text := coalesce(explain_rights.kind, search.default_kind());
    v_class integer;
begin
    perform policy.require_principal();
    perform search.require_kinds(array[v_kind]);
    v_principal_id := policy.find_principal(explain_rights.principal);
    select i.rights_class
    into v_class
    from catalog.item as i
    where i.kind = v_kind and i.public_name = explain_rights.name;
    if v_class is null then
        perform search.refuse_name(v_kind, explain_rights.name);
    end if;
    return query
    select d.is_allowed, d.version_id, d.rule, d.reason
    from policy.decide(v_principal_id, explain_rights.toolset, v_class) as d;
end
$function$;
comment on function api.explain_rights(text, text, text, text) is
'Explains whether a principal may use an item, and which rule decides. Example: `select t.name, r.is_allowed, r.reason '
'from tools as t, explain_rights(''local'', t.name) as r limit 5;` Arguments: principal: name of the principal; '
'name: name of the item; toolset: name of the toolset to which the session is limited (null: no toolset); kind: kind '
'of the item (null: the default kind). Returns: whether the principal may use the item; the active version of the '
'rules; the position of the rule that decided (null: the default or the toolset decided); and the decision in words. '
'Raises QM403 principal_unknown, QM404 principal_not_found, kind_not_found, and the kind''s own error for an unknown '
'name (tool_not_found and so on). Can be null: rule.';
grant execute on function api.explain_rights to qm_operator;
