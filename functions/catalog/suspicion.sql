-- catalog.suspicion: a definition is quarantined if one finding has high severity, or if findings of two rules have at
-- least medium severity. This function alone decides about quarantine, for every kind.
create or replace function catalog.suspicion(p_rules text[], p_severities text[])
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select 'the scan found '
        || string_agg(distinct f.rule collate core.c_utf8, ', ' order by f.rule collate core.c_utf8)
    from unnest(p_rules, p_severities) as f (rule, severity)
    where f.severity <> 'low'
    having bool_or(f.severity = 'high') or count(distinct f.rule) > 1;
$function$;
comment on function catalog.suspicion(text[], text[]) is
'Decides whether a definition is put into quarantine because of the scan''s findings. Arguments: p_rules: scan rules '
'that match the definition; p_severities: severities of these rules. Returns the reason for the quarantine. Returns '
'null if the definition is not put into quarantine.';
