-- decisions.scan: one statement scans all texts with the scan rules that also check the definitions in the catalog,
-- because PostgreSQL caches only a few compiled regular expressions.
-- Writes: decisions.decision.
create or replace function decisions.scan(p_ids bigint[])
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with given as materialized (
        select t.text, array_agg(d.id) as ids, row_number() over () as position
        from decisions.decision as d
        cross join lateral unnest(
            array[d.pattern, d.instead, d.rationale, d.applies_when, d.scope_value]
                || d.keywords
                || d.rejected_alternatives
        ) as t (text)
        where d.id = any(p_ids) and t.text <> ''
        group by t.text
    ),

    matched as (
        select i.id, string_agg(distinct format('%s (%s)', m.rule, m.evidence) collate core.c_utf8, ', ') as rules
        from catalog.match_rules(
            array_fill('description'::text, array[(select count(*)::integer from given)]),
            array(select a.text from given as a order by a.position)
        ) as m
        inner join given as g on g.position = m.place
        cross join lateral unnest(g.ids) as i (id)
        where m.severity <> 'low'
        group by i.id
    )

    update decisions.decision as d
    set suspicion = coalesce('the scan found ' || m.rules, '')
    from unnest(p_ids) as i (id)
    left join matched as m on m.id = i.id
    where d.id = i.id and d.suspicion <> coalesce('the scan found ' || m.rules, '');
$function$;
comment on function decisions.scan(bigint[]) is
'Scans the texts of decisions for instructions to the agents who read these texts, and stores the findings. Argument '
'p_ids: ids of new or changed decisions.';
