create or replace function decisions.tokens(p_pattern text, p_instead text, p_scope_value text, p_rationale text)
returns integer
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select ceil(
        (120 + length(concat_ws(' ', p_pattern, p_instead, p_scope_value)) + least(length(p_rationale), 300)) / 4.0
    )::integer;
$function$;
comment on function decisions.tokens(text, text, text, text) is
'Estimates how many tokens an agent reads when the agent receives a decision. Arguments: p_pattern, p_instead, '
'p_scope_value and p_rationale: columns of the decision. Agents receive only the first 300 characters of p_rationale. '
'Returns the number of tokens, including the tokens of the links to the evidence.';
grant execute on function decisions.tokens to qm_reader;
