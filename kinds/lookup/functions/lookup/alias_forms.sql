-- lookup.alias_forms: an alias must identify one row. Therefore, an alias is left out if a row already has this name,
-- or if two values lead to the same alias.
create or replace function lookup.alias_forms(p_table_id integer)
returns table (row_id bigint, alias text, form text)
language sql
stable parallel safe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    with named as (
        select r.id as row_id, f.alias, f.form, f.position
        from lookup.lookup_row as r
        cross join lateral (
            select m.parts[1] as alias, 'in brackets' as form, 2 as position
            from regexp_matches(r.value, '\(([^().]{4,})\)', 'g') as m (parts)
            union all
            select regexp_replace(r.value, '\([^()]*\)', ' ', 'g'), 'without brackets', 1
            where r.value ~ '\(.*\)'
            union all
            select p.part, 'part', 3
            from regexp_split_to_table(r.value, '\s+/\s+|\s*[;|]\s*') as p (part)
            where r.value ~ '\s/\s|[;|]'
            union all
            select regexp_replace(r.value, '^([^,()]+), ([^,()]+)$', '\2 \1'), 'turned round', 4
            where r.value ~ '^[^,()]+, [^,()]+$'
            union all
            select upper(n.initials), 'initials', 5
            from lookup.lookup_name as n
            where n.row_id = r.id and not n.is_alias and length(n.initials) between 2 and 8
        ) as f
        where r.table_id = p_table_id and r.active
    ),

    labelled as (
        select
            n.row_id,
            btrim(regexp_replace(n.alias, '\s+', ' ', 'g')) as alias,
            n.form,
            n.position,
            lookup.normalize(n.alias) as label
        from named as n
    ),

    single as (
        select
            (array_agg(l.row_id))[1] as row_id,
            l.label,
            (array_agg(l.alias order by l.position))[1] as alias,
            (array_agg(l.form order by l.position))[1] as form,
            min(l.position) as position
        from labelled as l
        where length(l.label) > 1
        group by l.label
        having count(distinct l.row_id) = 1
    )

    select s.row_id, s.alias, s.form
    from single as s
    where not exists (
        select
        from lookup.lookup_name as n
        inner join search.card as c on c.kind = 'lookup' and c.ref = n.id and c.label = s.label
        where n.table_id = p_table_id and n.short = left(lookup.short_form(s.label), 200)
    )
    order by s.position, s.row_id, s.alias;
$function$;
comment on function lookup.alias_forms(integer) is
'Derives possible aliases from the values of a lookup table. There are four types: the text in brackets or between '
'slashes; the value without this text; "First Surname" for "Surname, First"; and the initials. Argument p_table_id: id '
'of the lookup table. Returns for each possible alias: the id of the row, the alias, and the type of the alias. The '
'most useful aliases come first.';
