-- knowledge.without_attacks: fetched documentation may contain attacks on the agents who read it. A section is removed
-- if a scan rule of the catalog matches it.
create or replace function knowledge.without_attacks(p_text text)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with section as materialized (
        select s.text, s.place from regexp_split_to_table(p_text, '\n(?=#{1,3} )') with ordinality as s (text, place)
    ),

    attack as (
        select m.place
        from (select array_agg(s.text order by s.place) as texts from section as s) as a
        cross join lateral catalog.match_rules(
            array_fill('description'::text, array[cardinality(a.texts)]), a.texts
        ) as m
        where m.severity <> 'low'
    )

    select string_agg(
        case
            when s.place in (select x.place from attack as x) then '[left out: it gives orders to agents]'
            else s.text
        end,
        E'\n'
        order by s.place
    )
    from section as s;
$function$;
comment on function knowledge.without_attacks(text) is
'Removes the sections of a text that give instructions to the agents who read the text. Argument p_text: a text in '
'Markdown, in which each heading begins a section. Returns the text, in which a short remark replaces each removed '
'section.';
