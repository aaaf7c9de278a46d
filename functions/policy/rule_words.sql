create or replace function policy.rule_words(p_rule policy.rule, p_default text)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return case
        when p_rule.position is null then format('default %s', p_default)
        else format('rule %s: %s %s', p_rule.position, p_rule.effect, p_rule.subject)
            || coalesce(': ' || nullif(p_rule.reason, ''), '')
    end;
end
$function$;
comment on function policy.rule_words(policy.rule, text) is
'Describes in words the rule that decided about a request. If no rule decided, describes the default. Arguments: '
'p_rule: the rule that decided (all columns null: no rule decided); p_default: default effect of the active version of '
'the rules: allow or deny. Returns a short text.';
