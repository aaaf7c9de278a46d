-- policy.like_pattern: translates a pattern of a rule, with * and ?, to LIKE.
create or replace function policy.like_pattern(p_pattern text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select translate(regexp_replace(p_pattern, '([\\%_])', '\\\1', 'g'), '*?', '%_');
$function$;
comment on function policy.like_pattern(text) is
'Returns a pattern for LIKE: * matches any characters, ? exactly one; everything else matches itself.';
