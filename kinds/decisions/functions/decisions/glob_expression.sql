create or replace function decisions.glob_expression(p_glob text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select '^' || string_agg(
        case g.part[1]
            when '**/' then '(?:.*/)?'
            when '**' then '.*'
            when '*' then '[^/]*'
            when '?' then '[^/]'
            else regexp_replace(g.part[1], '([.\\+^$|()\[\]{}])', '\\\1', 'g')
        end,
        '' order by g.number
    ) || '$'
    from regexp_matches(p_glob, '\*\*/|\*\*|\*|\?|[^*?]+', 'g') with ordinality as g (part, number);
$function$;
comment on function decisions.glob_expression(text) is
'Turns a path pattern (glob) into a regular expression. Argument p_glob: the glob. In a glob, ** matches any '
'characters; * matches any characters except a slash; ? matches one character except a slash. Returns the regular '
'expression.';
grant execute on function decisions.glob_expression to qm_reader;
