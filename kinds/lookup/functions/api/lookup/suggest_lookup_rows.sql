-- api.suggest_lookup_rows: a row whose id is the whole text comes first. An index finds names by their normalised
-- beginnings. PostgreSQL uses this index in spite of row policies, because its operators are leakproof.
create or replace function api.suggest_lookup_rows(
    prefix text,
    lookup text default null,
    lookups text[] default null,
    maximum integer default 10,
    skip integer default 0
)
returns table (in_lookup text, id text, value text, name text, description text)
language plpgsql
stable parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_visible constant integer[] := lookup.visible_tables(suggest_lookup_rows.lookup);
    v_text constant text := left(btrim(suggest_lookup_rows.prefix), 1000);
    v_label constant text := lookup.normalize(v_text);
    v_names constant integer := 3 * (suggest_lookup_rows.maximum + suggest_lookup_rows.skip);
    v_table_ids integer[];
    v_found integer;
begin
    perform lookup.require_page(suggest_lookup_rows.maximum, suggest_lookup_rows.skip);
    v_table_ids := array(
        select t.id
        from lookup.lookup_table as t
        where t.id = any(v_visible)
            and (suggest_lookup_rows.lookups is null or t.name = any(suggest_lookup_rows.lookups))
    );
    return query
    with named as (
        select t.name as lookup, r.id as row_id, 0 as place, '' as label, r.value as name, r.key, r.value, r.properties
        from lookup.lookup_table as t
        inner join lookup.lookup_row as r on r.table_id = t.id
        where t.id = any(v_table_ids) and r.key = v_text and r.active
        union all
        select t.name, r.id, 1, c.label, c.name, r.key, r.value, r.properties
        from lookup.lookup_table as t
        cross join lateral (
            select c.ref, c.label, c.name
            from search.card as c
            where c.kind = 'lookup'
                and c.origin = t.name
                and c.label ~>=~ v_label
                and c.label ~<~ (v_label || chr(1114111))
            order by c.label using ~<~
            limit v_names
        ) as c
        inner join lookup.lookup_name as n on n.id = c.ref
        inner join lookup.lookup_row as r on r.id = n.row_id
        where t.id = any(v_table_ids) and r.active
    ),

    best as (
        select distinct on (n.row_id) n.* from named as n order by n.row_id, n.place, n.label
    )

    select b.lookup, b.key, b.value, b.name, lookup.describe_row(b.value, b.name, b.properties)
    from best as b
    order by b.place, b.label collate "C", b.lookup, b.key
    limit suggest_lookup_rows.maximum
    offset suggest_lookup_rows.skip;
    get diagnostics v_found = row_count;

    if v_found = 0 and suggest_lookup_rows.skip = 0 and length(v_label) > 2 then
        return query
        select a.lookup, a.id, a.value, a.name, a.description
        from lookup.reconcile(
            v_table_ids, jsonb_build_object('query', v_text, 'threshold', 0), suggest_lookup_rows.maximum
        ) as a
        order by a.rank;
    end if;
end
$function$;
comment on function api.suggest_lookup_rows(text, text, text[], integer, integer) is
'Suggests rows that have a name that begins with a given text, in alphabetical order. Arguments: prefix: the text; '
'lookup: name of a lookup table (null: all lookup tables); lookups: names of the lookup tables to use (null: all '
'lookup tables); maximum: maximum number of results (1 to 100); skip: number of results to skip. Returns only active '
'rows. Returns for each row: the name of its lookup table, its id, its value, the name that begins with the text, and '
'a description of the row. Raises QM404 unsupported_table, QM422 argument_invalid.';
alter function api.suggest_lookup_rows owner to qm_reader;
grant execute on function api.suggest_lookup_rows to qm_user;
