-- catalog.template_pattern: the expression also matches some other URIs. This does no harm, because the origin refuses
-- URIs that it does not have.
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
        end,
        '' order by p.position
    ) || '$'
    from (
        select m.found[1] as part, m.position
        from regexp_matches(p_template, '(\{[^{}]*\}|[^{}]+|[{}])', 'g') with ordinality as m (found, position)
    ) as p;
$function$;
comment on function catalog.template_pattern(text) is
'Translates a URI template (RFC 6570) to a regular expression that matches its URIs. Argument p_template: the URI '
'template. Returns a regular expression that matches every URI into which the template can be expanded.';
