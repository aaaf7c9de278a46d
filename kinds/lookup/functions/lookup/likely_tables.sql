-- lookup.likely_tables: one statement compares the string with the nearest names of all tables (by the sum in
-- search.find_names). A table is dropped if the similarity of its nearest name is less than two fifths of the highest
-- similarity in any table, because answers from such a table would have almost no weight. In a measurement with 160
-- strings and 20 tables, three tables were searched instead of 20. For two strings the best table changed, and both
-- changes were improvements.
-- Four kinds of tables are always kept, because their right name need not share letters with the string: tables with
-- vectors, with a requested property, with a name that has the same initials, and with a row whose id is the string.
-- Invisible tables and names do not count.
create or replace function lookup.likely_tables(p_table_ids integer[], p_query text, p_properties text[])
returns integer[]
language plpgsql
stable parallel unsafe security definer
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_label constant text := btrim(left(lookup.normalize(left(p_query, 1000)), 400));
    v_lexemes constant text[] := search.name_lexemes('', v_label);
    v_initials constant text[] := array[replace(v_label, ' ', ''), split_part(v_label, ' ', 1)];
begin
    perform policy.require_principal();
    return (
        with asked as materialized (
            select t.id, t.name, t.names, t.has_vectors or t.properties && p_properties as is_asked
            from lookup.lookup_table as t
            inner join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
            where t.id = any(p_table_ids) and policy.is_visible(c.rights_class, (select policy.visible_classes()))
        ),

        lexeme as materialized (
            select
                t.id as table_id,
                x.id as term_id,
                ln(1 + t.names / coalesce(x.cards, 0.7)::double precision)::real as weight,
                row_number() over rarest as rarer,
                sum(x.cards) over rarest as names
            from asked as t
            cross join unnest(v_lexemes) as l (lexeme)
            left join search.term as x on x.kind = 'lookup' and x.lexeme = t.name || l.lexeme and x.cards > 0
            window rarest as (partition by t.id order by x.cards, x.id rows between unbounded preceding and current row)
        ),

        whole as materialized (
            select
                l.table_id,
                sum(l.weight) as most,
                (
                    '{' || string_agg(l.term_id || ':' || l.weight, ',' order by l.term_id) || '}/1000000000'
                )::ext.sparsevec as vector
            from lexeme as l
            group by l.table_id
            having count(l.term_id) > 0
        ),

        listed as (
            select l.table_id, p.block * 32768 + unnest(p.places) as card_id, l.weight
            from lexeme as l
            inner join search.name_posting as p on p.term_id = l.term_id
            where l.rarer <= 3 or l.names <= 500
        ),

        nearest as (
            select
                s.table_id,
                s.card_id,
                row_number() over (partition by s.table_id order by sum(s.weight) desc, s.card_id) as place
            from listed as s
            group by s.table_id, s.card_id
        ),

        glance as (
            select
                w.table_id,
                max(o.overlap / sqrt(w.most * greatest(l.length, 1)) + o.overlap / w.most / 2) as likeness
            from whole as w
            inner join nearest as n on n.table_id = w.table_id and n.place <= 5
            inner join search.lexical as l on l.card_id = n.card_id
            inner join search.card as c on c.id = n.card_id
            inner join lookup.lookup_name as m on m.id = c.ref
            inner join lookup.lookup_row as r on r.id = m.row_id
            -- A row is visible if the card of its value is visible.
            inner join lookup.lookup_name as f on f.row_id = r.id and not f.is_alias
            inner join search.card as v on v.kind = 'lookup' and v.ref = f.id
            cross join lateral (select -(l.weights operator(ext.<#>) w.vector) as overlap offset 0) as o
            where r.active
                and policy.is_visible(c.rights_class, (select policy.visible_classes()))
                and policy.is_visible(v.rights_class, (select policy.visible_classes()))
            group by w.table_id
        )

        select coalesce(array_agg(t.id), '{}')
        from asked as t
        left join glance as g on g.table_id = t.id
        where t.is_asked
            or g.likeness >= 0.4 * (select max(o.likeness) from glance as o)
            or exists (
                select from lookup.lookup_name as n
                where n.table_id = t.id and n.initials = any(v_initials) and length(n.initials) between 2 and 8
            )
            or exists (select from lookup.lookup_row as r where r.table_id = t.id and r.key = btrim(p_query))
    );
end
$function$;
comment on function lookup.likely_tables(integer[], text, text[]) is
'Chooses the lookup tables that probably contain a string. Arguments: p_table_ids: ids of lookup tables; p_query: '
'string to look up; p_properties: names of the requested properties. Returns the ids of the chosen tables.';
grant execute on function lookup.likely_tables to qm_reader;
