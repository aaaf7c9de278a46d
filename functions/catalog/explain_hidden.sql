-- Definer: it reads items that the rules hide.
create or replace function catalog.explain_hidden(p_kind text, p_name text, p_knows boolean)
returns jsonb
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_verdict policy.verdict;
begin
    perform policy.require_principal();
    select (policy.decide(policy.principal_id(), policy.toolset_name(), i.rights_class)).*
    into v_verdict
    from catalog.item as i
    where p_knows and i.kind = p_kind and i.public_name = p_name;
    return case
        when v_verdict.is_allowed = false then jsonb_build_object(
            'reason', 'hidden',
            'detail', jsonb_build_object(
                'rule', v_verdict.rule, 'version', v_verdict.version_id, 'because', v_verdict.reason
            ),
            'remedy', 'An administrator can change the rules: qm policy show prints them, qm policy apply changes them.'
        )
    end;
end
$function$;
comment on function catalog.explain_hidden(text, text, boolean) is
'Explains which rule hides an item from the principal. Arguments: p_kind: kind of card; p_name: public name of the '
'item; p_knows: whether the person who asks may know about hidden items. Returns {reason, detail, remedy}. Returns '
'null if p_knows is not true, if no rule hides the item, or if there is no such item.';
grant execute on function catalog.explain_hidden to qm_reader;
