create or replace function api.list_lookup_sources()
returns table (
    name text,
    relation text,
    columns jsonb,
    follows boolean,
    every interval,
    waiting bigint,
    refreshed_at timestamptz,
    failure text
)
language sql
stable parallel safe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select
        t.name,
        s.relation,
        jsonb_strip_nulls(jsonb_build_object(
            'id', s.id_column,
            'value', s.value_column,
            'aliases', s.alias_columns,
            'properties', s.property_columns,
            'language', s.language_column,
            'active', s.active_column
        )),
        s.follows,
        s.every,
        (select count(*) from lookup.source_change as c where c.table_id = s.table_id),
        s.refreshed_at,
        s.failure
    from lookup.source as s
    inner join lookup.lookup_table as t on t.id = s.table_id
    inner join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
    where policy.is_visible(c.rights_class, (select policy.visible_classes()))
    order by t.name;
$function$;
comment on function api.list_lookup_sources() is
'Lists the lookup tables that read users'' own tables. Returns for each lookup table: its name; the name and the '
'columns of the user''s table or view; whether triggers report changes; the interval at which all rows are read if '
'there are no triggers; how many changes are pending; when the lookup table was last refreshed; and the reason if that '
'refresh failed. Can be null: refreshed_at, failure.';
grant execute on function api.list_lookup_sources to qm_operator;
