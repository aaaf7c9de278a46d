-- catalog.suspicion: decides whether the findings of a definition put it into quarantine. One of high severity does, or
-- two of different rules with medium severity or more.
-- This is the one place that decides this, for every kind.
create or replace function catalog.suspicion(p_rules text[], p_severities text[])
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select 'the scan found ' || string_agg(distinct f.rule, ', ' order by f.rule)
    from unnest(p_rules, p_severities) as f (rule, severity)
    where f.severity <> 'low'
    having bool_or(f.severity = 'high') or count(distinct f.rule) > 1;
$function$;
comment on function catalog.suspicion(text[], text[]) is
'Arguments: rules that match a definition; their severities. Returns the reason for quarantine, or null.';
