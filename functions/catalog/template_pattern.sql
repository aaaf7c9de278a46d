-- catalog.template_pattern: which URIs can a URI template (RFC 6570) stand for? As a regular expression.
-- A little too wide rather than too narrow: the origin itself refuses what is not its own.
create or replace function catalog.template_pattern(p_template text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select '^' || string_agg(
        case
            when p.part ~ '^\{[+#/.;?&]' then '.*'
            when p.part ~ '^\{' then '[^/?#]*'
            else regexp_replace(p.part, '([.*+?^$(){}|\[\]\\])', '\\\1', 'g')
        end, '' order by p.position
    ) || '$'
    from (
        select m.found[1] as part, m.position
        from regexp_matches(p_template, '(\{[^{}]*\}|[^{}]+|[{}])', 'g') with ordinality as m (found, position)
    ) as p;
$function$;
comment on function catalog.template_pattern(text) is 'Argument: URI template. Returns a regular expression that fits every expansion of it.';
