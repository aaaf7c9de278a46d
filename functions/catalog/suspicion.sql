-- catalog.suspicion: do the findings of one definition put it into quarantine? A high one does, or two different rules of some weight.
-- The one place that decides this, for every kind.
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
comment on function catalog.suspicion(text[], text[]) is 'Arguments: rules that a definition meets, and the severity of each. Returns why it goes into quarantine, or null: it does not.';
