-- lookup.index_names: the caller must hold the lock of the kind lookup.
-- Writes: lookup.lookup_name, lookup.lookup_table, cards.
create or replace function lookup.index_names(p_table_id integer, p_written bigint[], p_gone bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set work_mem = '64MB'
as $function$
declare
    v_table lookup.lookup_table;
    v_old bigint[];
    v_old_texts bytea[];
    v_cards jsonb;
begin
    if p_written = '{}' and p_gone = '{}' then
        return;
    end if;
    select * into strict v_table from lookup.lookup_table as t where t.id = p_table_id for update;
    select array_agg(n.id)
    into v_old
    from unnest(p_written || p_gone) as w (id)
    inner join lookup.lookup_name as n on n.row_id = w.id;
    if v_table.has_vectors then
        v_old_texts := array(select c.text_hash from search.card as c where c.kind = 'lookup' and c.ref = any(v_old));
    end if;
    if v_old is not null then
        perform search.remove_cards('lookup', v_old);
        delete from lookup.lookup_name as n where n.id = any(v_old);
    end if;

    with named as materialized (
        select
            nextval(pg_get_serial_sequence('lookup.lookup_name', 'id')) as id,
            r.id as row_id,
            g.name,
            g.is_alias,
            l.label,
            lookup.stem(l.label) as stem
        from unnest(p_written) as w (id)
        inner join lookup.lookup_row as r on r.id = w.id
        cross join lateral (
            select r.value as name, false as is_alias
            union all
            select a.name, true
            from unnest(r.aliases) as a (name)
        ) as g
        -- A name that consists only of punctuation is not normalised, because nothing would be left of it.
        cross join lateral (
            select coalesce(nullif(lookup.normalize(left(g.name, 1000)), ''), lower(btrim(g.name))) as label
        ) as l
    ),

    written as (
        insert into lookup.lookup_name (id, row_id, table_id, is_alias, short, stem, second, initials)
        overriding system value
        select
            d.id,
            d.row_id,
            p_table_id,
            d.is_alias,
            left(lookup.short_form(d.label), 200),
            left(d.stem, 200),
            nullif(left(split_part(d.stem, ' ', 2), 100), ''),
            case
                when strpos(d.label, ' ') > 0
                    then (
                        select left(string_agg(left(x.word, 1), '' order by x.position), 20)
                        from string_to_table(d.label, ' ') with ordinality as x (word, position)
                    )
            end
        from named as d
    )

    -- In a table without vectors, all names share one empty text, so that they do not wait for vectors.
    select
        jsonb_agg(
            jsonb_build_object(
                'ref', d.id,
                'name', d.name,
                'origin', v_table.name,
                'label', d.label,
                'embedding_text', case when v_table.has_vectors then d.name else '' end
            )
        )
    into v_cards
    from named as d;
    if v_cards is not null then
        perform search.put_cards('lookup', v_cards);
    end if;
    perform search.forget_vectors('lookup', v_old_texts);
    update lookup.lookup_table as t
    set names = t.names + coalesce(jsonb_array_length(v_cards), 0) - coalesce(cardinality(v_old), 0)
    where t.id = p_table_id;
end
$function$;
comment on function lookup.index_names(integer, bigint[], bigint[]) is
'Updates the names and cards of rows in a lookup table. Arguments: p_table_id: id of the lookup table; p_written: ids '
'of new or changed rows; p_gone: ids of rows that the caller will remove afterwards.';
