-- api.extend_lookup_rows: a row that does not exist is treated like a row without properties.
create or replace function api.extend_lookup_rows(rows jsonb, properties text[], lookup text default null)
returns table (number integer, name text, cells jsonb)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_ids constant integer[] := lookup.visible_tables(extend_lookup_rows.lookup);
    v_known text[];
    v_unknown text;
begin
    perform lookup.require_batch(extend_lookup_rows.rows, 'rows', 'Send rows as [{"lookup": NAME, "id": ID}].');
    if extend_lookup_rows.properties is null then
        perform core.fail('argument_invalid', 'the properties must be a list', null, 'Send a list of names.');
    end if;
    select array_agg(distinct p.name order by p.name)
    into v_known
    from lookup.lookup_table as t
    cross join unnest(t.properties || lookup.row_columns()) as p (name)
    where t.id = any(v_table_ids);
    select u.name
    into v_unknown
    from unnest(extend_lookup_rows.properties) with ordinality as u (name, position)
    where u.name <> all(coalesce(v_known, lookup.row_columns()))
    order by u.position
    limit 1;
    if v_unknown is not null then
        perform core.fail(
            'property_unknown',
            format('no row has the property %L', left(v_unknown, 100)),
            null,
            format('Use one of: %s.', left(array_to_string(coalesce(v_known, lookup.row_columns()), ', '), 500))
        );
    end if;
    return query
    select g.position::integer, r.value, coalesce(c.cells, '{}')
    from jsonb_array_elements(extend_lookup_rows.rows) with ordinality as g (row, position)
    left join lookup.lookup_table as t on t.id = any(v_table_ids) and t.name = g.row ->> 'lookup'
    left join lookup.lookup_row as r on r.table_id = t.id and r.key = g.row ->> 'id'
    left join lateral (
        select jsonb_object_agg(v.name, v.value) as cells
        from (
            select
                p.name,
                coalesce(
                    r.properties -> p.name,
                    case p.name
                        when 'value' then to_jsonb(r.value)
                        when 'aliases' then to_jsonb(r.aliases)
                        when 'language' then to_jsonb(nullif(r.language, ''))
                        when 'domain' then to_jsonb(nullif(r.domain, ''))
                        when 'active' then to_jsonb(r.active)
                    end
                ) as value
            from unnest(extend_lookup_rows.properties) as p (name)
        ) as v
        where v.value is not null
    ) as c on r.id is not null
    order by g.position;
end
$function$;
comment on function api.extend_lookup_rows(jsonb, text[], text) is
'Reads properties of rows, in the order in which the rows are given. Arguments: rows: JSON array of {lookup: name of '
'the lookup table, id: id of the row}, with at most as many elements as the setting lookup.max_batch allows; '
'properties: names of the properties to read, which may include value, aliases, language, domain and active; lookup: '
'name of a lookup table, to search only this table (null: all lookup tables). Returns for each given row: its number '
'(from 1), its value (null: there is no such row), and a JSON object that maps each property to a value or a list of '
'values. The object does not contain properties that the row lacks. Raises QM404 unsupported_table, QM413 '
'batch_too_large, QM422 argument_invalid, property_unknown. Can be null: name.';
alter function api.extend_lookup_rows owner to qm_reader;
grant execute on function api.extend_lookup_rows to qm_user;
