-- lookup.read_source: rows of the user's own table in the form of lookup.put_rows; those without an id or a value are none.
-- Dynamic because people name the table and its columns; each name is an identifier of the catalog and is quoted.
-- Raises: QM422 lookup_source_invalid.
create or replace function lookup.read_source(p_table_id integer, p_keys text[])
returns jsonb
language plpgsql
stable parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_source lookup.source;
    v_relation text;
    v_aliases text;
    v_properties text;
    v_rows jsonb;
begin
    select * into strict v_source from lookup.source as s where s.table_id = p_table_id;
    v_relation := lookup.require_source(
        v_source.relation,
        array_remove(
            v_source.id_column || (v_source.value_column || (v_source.language_column || (v_source.active_column || (v_source.alias_columns || v_source.property_columns)))),
            null
        ),
        v_source.active_column,
        v_source.follows
    );
    select string_agg(
        format(
            ' || case when s.%1$I is null then ''[]'' when jsonb_typeof(to_jsonb(s.%1$I)) = ''array'' then to_jsonb(s.%1$I)'
            ' else to_jsonb(string_to_array(s.%1$I::text, ''|'')) end', a.name
        ), '' order by a.position
    ) into v_aliases
    from unnest(v_source.alias_columns) with ordinality as a (name, position);
    select string_agg(format('%L, to_jsonb(s.%I)', p.name, p.name), ', ' order by p.position) into v_properties
    from unnest(v_source.property_columns) with ordinality as p (name, position);
    execute format(
        'select coalesce(jsonb_agg(jsonb_build_object('
        '''id'', s.%1$I::text, ''value'', s.%2$I::text, ''aliases'', ''[]''::jsonb%3$s, ''language'', %4$s, ''active'', %5$s,'
        ' ''properties'', jsonb_build_object(%6$s), ''provenance'', jsonb_build_object(''source'', %7$L::text))), ''[]'')'
        ' from %7$s as s where btrim(s.%1$I::text) <> '''' and btrim(s.%2$I::text) <> '''' and ($1 is null or s.%1$I::text = any($1))',
        v_source.id_column, v_source.value_column, coalesce(v_aliases, ''),
        case when v_source.language_column is null then 'null' else format('s.%I::text', v_source.language_column) end,
        case when v_source.active_column is null then 'true' else format('coalesce(s.%I, true)', v_source.active_column) end,
        coalesce(v_properties, ''), v_relation
    ) into strict v_rows using p_keys;
    return v_rows;
end
$function$;
comment on function lookup.read_source(integer, text[]) is 'Arguments: table; ids of the rows to read, null for all.';
