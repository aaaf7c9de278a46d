-- lookup.facts: a list becomes one string for each element. A value of the form {id, name}, which the reconciliation
-- API uses for a cell that is already matched, becomes its name.
create or replace function lookup.facts(p_properties jsonb)
returns text[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        array_agg(
            p.key || '=' || lower(left(v.text, 200) collate core.c_utf8)
            order by p.key collate core.c_utf8, v.text collate core.c_utf8
        ),
        '{}'
    )
    from jsonb_each(case jsonb_typeof(p_properties) when 'object' then p_properties else '{}' end) as p
    cross join lateral (
        select case jsonb_typeof(m.value)
            when 'object' then coalesce(m.value ->> 'name', m.value ->> 'id')
            else m.value #>> '{}'
        end as text
        from jsonb_array_elements(
            case jsonb_typeof(p.value) when 'array' then p.value else jsonb_build_array(p.value) end
        ) as m (value)
    ) as v
    where v.text is not null;
$function$;
comment on function lookup.facts(jsonb) is
'Converts properties to strings of the form PROPERTY=value, with the value in lower case. This form is used to compare '
'the properties of rows with the requested properties. Argument p_properties: a JSON object. Returns an empty result '
'for any other JSON value, and for null.';
grant execute on function lookup.facts to qm_reader;
