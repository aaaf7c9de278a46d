create or replace function api.diff_rules(version_a integer, version_b integer default null)
returns table (change text, rule jsonb)
language plpgsql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_a constant jsonb := api.show_rules(diff_rules.version_a);
    v_b constant jsonb := api.show_rules(diff_rules.version_b);
begin
    return query
    select d.change, d.rule
    from (
        select '-' as change, x.rule
        from (
            select jsonb_build_object('default', v_a -> 'default') as rule
            union all
            select jsonb_array_elements(v_a -> 'rules' || (v_a -> 'guardrails') || coalesce(v_a -> 'repairs', '[]'))
            except all (
                select jsonb_build_object('default', v_b -> 'default')
                union all
                select jsonb_array_elements(v_b -> 'rules' || (v_b -> 'guardrails') || coalesce(v_b -> 'repairs', '[]'))
            )
        ) as x
        union all
        select '+', x.rule
        from (
            select jsonb_build_object('default', v_b -> 'default') as rule
            union all
            select jsonb_array_elements(v_b -> 'rules' || (v_b -> 'guardrails') || coalesce(v_b -> 'repairs', '[]'))
            except all (
                select jsonb_build_object('default', v_a -> 'default')
                union all
                select jsonb_array_elements(v_a -> 'rules' || (v_a -> 'guardrails') || coalesce(v_a -> 'repairs', '[]'))
            )
        ) as x
    ) as d
    order by (d.rule ->> 'subject') collate core.c_utf8 nulls first, d.change collate core.c_utf8 desc, d.rule;
end
$function$;
comment on function api.diff_rules(integer, integer) is
'Compares two versions of the rules. Arguments: version_a: number of the first version; version_b: number of the '
'second version (default: the active version). Returns the rules, guardrails and repairs that only the first version '
'has, marked with -, and those that only the second version has, marked with +. Raises QM404 rules_not_found.';
alter function api.diff_rules owner to qm_reader;
grant execute on function api.diff_rules to qm_operator;
