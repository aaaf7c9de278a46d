create or replace function api.describe_lookup_property(property text, lookup text default null)
returns jsonb
language plpgsql
stable parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_ids constant integer[] := lookup.visible_tables(describe_lookup_property.lookup);
    v_described jsonb;
begin
    select jsonb_build_object(
        'name', describe_lookup_property.property,
        'lookups', jsonb_agg(t.name order by t.name),
        'examples', coalesce((
            select jsonb_agg(distinct s.example)
            from (
                select distinct left(
                    r.properties ->> describe_lookup_property.property, 60
                ) collate core.c_utf8 as example
                from unnest(array_agg(t.id)) as x (id)
                cross join lateral (
                    select y.properties from lookup.lookup_row as y where y.table_id = x.id order by y.key limit 100
                ) as r
                where r.properties ->> describe_lookup_property.property is not null
                limit 5
            ) as s
        ), '[]')
    )
    into v_described
    from lookup.lookup_table as t
    where t.id = any(v_table_ids) and describe_lookup_property.property = any(t.properties)
    having count(*) > 0;
    if v_described is null then
        perform core.fail(
            'property_unknown', format('no row has the property %L', left(describe_lookup_property.property, 100))
        );
    end if;
    return v_described;
end
$function$;
comment on function api.describe_lookup_property(text, text) is
'Lists the lookup tables whose rows have a given property, and some values of this property. Arguments: property: name '
'of the property; lookup: name of a lookup table (null: all lookup tables). Returns JSON with three members: name: '
'name of the property; lookups: names of the lookup tables; examples: values from some of the first rows. Raises QM404 '
'unsupported_table, QM422 property_unknown.';
alter function api.describe_lookup_property owner to qm_reader;
grant execute on function api.describe_lookup_property to qm_user;
