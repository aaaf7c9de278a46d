-- knowledge.suspicion: the scan rules of the catalog are used. The scan is needed, because notes can be stored without
-- the guardrails of the service.
create or replace function knowledge.suspicion(p_note jsonb)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select 'the scan found '
        || string_agg(distinct m.rule collate core.c_utf8, ', ' order by m.rule collate core.c_utf8)
    from (
        select array_agg(x.text) as texts
        from (
            select unnest(
                array[p.passage ->> 'heading', p.passage ->> 'text', coalesce(p.passage ->> 'asked', '')]
            ) as text
            from jsonb_array_elements(p_note -> 'passages') as p (passage)
            union all
            -- Whoever gets a passage gets these as well.
            values (p_note ->> 'title'), (p_note ->> 'source'), (coalesce(p_note ->> 'version', ''))
            union all
            select c.cite
            from jsonb_array_elements_text(p_note -> 'cites') as c (cite)
        ) as x
    ) as a
    cross join lateral catalog.match_rules(array_fill('description'::text, array[cardinality(a.texts)]), a.texts) as m
    where m.severity <> 'low';
$function$;
comment on function knowledge.suspicion(jsonb) is
'Scans the texts of a note for instructions to the agents who read the note. Argument p_note: the note as JSON. '
'Returns a sentence about the orders. Returns null if the texts contain no orders.';
