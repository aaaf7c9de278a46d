-- decisions.suspicion: scans the texts of a candidate for attacks on its readers, with the rules of the catalog.
create or replace function decisions.suspicion(p_candidate jsonb)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce('the scan found ' || string_agg(distinct m.rule, ', ' order by m.rule), '')
    from catalog.match_rules(
        '{description,description,description,description}',
        array[
            p_candidate ->> 'pattern', coalesce(p_candidate ->> 'instead', ''), coalesce(p_candidate ->> 'rationale', ''),
            coalesce(p_candidate ->> 'applies_when', '')
        ]
    ) as m
    where m.severity <> 'low';
$function$;
comment on function decisions.suspicion(jsonb) is
'Scans the texts of a candidate for attacks on its readers. Returns what the scan found in words; empty if nothing.';
