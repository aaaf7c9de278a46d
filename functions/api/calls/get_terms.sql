create or replace function api.get_terms(name text)
returns table (effective jsonb, own jsonb, set_at timestamptz, set_by text, is_of_this_version boolean)
language plpgsql
stable parallel safe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_item_id bigint;
begin
    perform policy.require_principal();
    v_item_id := catalog.item_id(
        array(select k.name from search.kind as k where k.outcomes = 'called'), get_terms.name
    );
    return query
    select catalog.call_terms(i.id), coalesce(s.terms, '{}'), s.set_at, p.name::text, s.version = i.version
    from catalog.item as i
    left join calls.terms as s on s.item_id = i.id
    left join policy.principal as p on p.id = s.set_by
    where i.id = v_item_id;
end
$function$;
comment on function api.get_terms(text) is
'Shows the terms (limits and rules) for calls to a tool. Argument name: callable name of the tool. Returns: all terms '
'that apply to calls of the tool, including defaults (catalog.call_terms); the terms that an operator set for this '
'tool; when and by whom these terms were set; and whether they were set for the current version of the tool. Terms '
'that declare a tool safe apply only to the version for which they were set. Raises QM404 tool_not_found. Can be null: '
'set_at, set_by.';
grant execute on function api.get_terms to qm_operator;
