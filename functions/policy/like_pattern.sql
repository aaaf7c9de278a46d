create or replace function policy.like_pattern(p_pattern text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select translate(regexp_replace(p_pattern, '([\\%_])', '\\\1', 'g'), '*?', '%_');
$function$;
comment on function policy.like_pattern(text) is
'Converts a pattern of a rule to a pattern for LIKE. Argument p_pattern: the pattern of the rule, in which * matches '
'any characters and ? matches exactly one character. All other characters match themselves. Returns the pattern for '
'LIKE.';
