create or replace function catalog.scan_repair(p_changes jsonb)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select catalog.suspicion(array_agg(m.rule), array_agg(m.severity))
    from (
        select array_agg(t.member) as members, array_agg(t.text) as texts
        from catalog.repair_texts(p_changes) as t
    ) as g
    cross join lateral catalog.match_rules(g.members, g.texts) as m;
$function$;
comment on function catalog.scan_repair(jsonb) is
'Looks for attacks in the texts of a repair, as the scan does in those of a server. Argument p_changes: the changes, '
'as in catalog.repair.changes. Returns what was found (null: nothing that forbids the repair).';
