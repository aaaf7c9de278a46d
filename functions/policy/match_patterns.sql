-- policy.match_patterns: a pattern without wildcards is looked up directly. Patterns that begin with six plain
-- characters are compared only with values that begin with the same characters; the other patterns are compared with
-- all values.
create or replace function policy.match_patterns(p_values text[], p_patterns text[], p_numbers integer[])
returns table (value text, number integer)
language sql
stable parallel safe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    with pattern as materialized (
        select
            g.pattern,
            g.number,
            policy.like_pattern(g.pattern) as likeness,
            g.pattern !~ '[*?]' as is_plain,
            substring(g.pattern, '^[^*?]{6}') as beginning
        from unnest(p_patterns, p_numbers) as g (pattern, number)
    ),

    given as materialized (
        select v.value, left(v.value, 6) as beginning
        from unnest(p_values) as v (value)
        where v.value is not null
        group by v.value
    )

    select g.value, p.number
    from given as g
    inner join pattern as p on p.is_plain and p.pattern = g.value
    union
    select g.value, p.number
    from given as g
    inner join pattern as p on p.beginning = g.beginning
    where not p.is_plain and g.value like p.likeness
    union
    select g.value, p.number
    from given as g
    inner join pattern as p on p.beginning is null
    where not p.is_plain and g.value like p.likeness;
$function$;
comment on function policy.match_patterns(text[], text[], integer[]) is
'Finds the patterns that each value matches. Each distinct value is compared only once. Arguments: p_values: the '
'values; p_patterns: patterns with * and ?; p_numbers: a number for each pattern. Returns a row for each distinct '
'value and each pattern that the value matches: the value, and the number of the pattern.';
