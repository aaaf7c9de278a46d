create or replace function lookup.read_source(p_table_id integer, p_keys text[])
returns jsonb
language plpgsql
stable parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_source lookup.source;
    v_relation regclass;
begin
    select * into strict v_source from lookup.source as s where s.table_id = p_table_id;
    v_relation := lookup.require_source(
        v_source.relation,
        array_remove(
            array[v_source.id_column, v_source.value_column, v_source.language_column, v_source.active_column]
            || v_source.alias_columns || v_source.property_columns,
            null
        ),
        v_source.active_column,
        v_source.follows
    );
    return (
        with alias as (
            select r.key, jsonb_agg(e.name) as names
            from unnest(v_source.alias_columns) as a (name)
            cross join lateral lookup.read_column(v_relation, v_source.id_column, a.name, p_keys) as r
            cross join lateral jsonb_array_elements(
                case jsonb_typeof(r.value)
                    when 'array' then r.value
                    else to_jsonb(string_to_array(r.value #>> '{}', '|'))
                end
            ) as e (name)
            group by r.key
        ),

        property as (
            select r.key, jsonb_object_agg(p.name, r.value) as properties
            from unnest(v_source.property_columns) as p (name)
            cross join lateral lookup.read_column(v_relation, v_source.id_column, p.name, p_keys) as r
            group by r.key
        ),

        language as (
            select r.key, r.value #>> '{}' as language
            from unnest(array[v_source.language_column]) as c (name)
            cross join lateral lookup.read_column(v_relation, v_source.id_column, c.name, p_keys) as r
            where c.name is not null
        ),

        inactive as (
            select r.key
            from unnest(array[v_source.active_column]) as c (name)
            cross join lateral lookup.read_column(v_relation, v_source.id_column, c.name, p_keys) as r
            where c.name is not null and r.value = 'false'
        )

        select coalesce(
            jsonb_agg(jsonb_build_object(
                'id', v.key,
                'value', v.value #>> '{}',
                'aliases', a.names,
                'language', l.language,
                'active', i.key is null,
                'properties', p.properties,
                'provenance', jsonb_build_object('source', v_source.relation)
            )),
            '[]'
        )
        from lookup.read_column(v_relation, v_source.id_column, v_source.value_column, p_keys) as v
        left join alias as a on a.key = v.key
        left join property as p on p.key = v.key
        left join language as l on l.key = v.key
        left join inactive as i on i.key = v.key
        where btrim(v.value #>> '{}') <> ''
    );
end
$function$;
comment on function lookup.read_source(integer, text[]) is
'Reads rows for a lookup table from its source, the user''s own table. Arguments: p_table_id: id of the lookup table; '
'p_keys: ids of the rows to read (null: all rows). Returns the rows in the form that lookup.put_rows takes. Rows '
'without an id or without a value are omitted. Raises QM422 lookup_source_invalid.';
