-- decisions.schema_problem: the function knows only the keywords that the schemas in decisions.check_form use. A test
-- compares its answers with those of a JSON Schema library.
create or replace function decisions.schema_problem(p_schema jsonb, p_value jsonb, p_place text default 'check')
returns text
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_type constant text := p_schema ->> 'type';
    v_length integer;
    v_part record;
    v_problem text;
begin
    if v_type is not null and jsonb_typeof(p_value) is distinct from v_type then
        return format(
            '%s must be %s',
            p_place,
            case v_type
                when 'string' then 'a string'
                when 'array' then 'an array'
                when 'object' then 'an object'
                else v_type
            end
        );
    end if;
    if p_schema ? 'enum' and not p_schema -> 'enum' @> jsonb_build_array(p_value) then
        return format('%s must be one of %s', p_place, p_schema ->> 'enum');
    end if;
    if p_schema ? 'const' and p_value <> p_schema -> 'const' then
        return format('%s must be %s', p_place, p_schema ->> 'const');
    end if;
    if jsonb_typeof(p_value) = 'string' and p_value #>> '{}' !~ (p_schema ->> 'pattern') collate core.c_utf8 then
        return format('%s must match %s', p_place, p_schema ->> 'pattern');
    end if;
    v_length := case jsonb_typeof(p_value)
        when 'string' then length(p_value #>> '{}')
        when 'array' then jsonb_array_length(p_value)
        when 'object' then (select count(*) from jsonb_object_keys(p_value))
    end;
    if v_length < coalesce(p_schema -> 'minLength', p_schema -> 'minItems', p_schema -> 'minProperties', '0')::integer
        or v_length > coalesce(p_schema -> 'maxLength', p_schema -> 'maxItems', '1000000')::integer
    then
        return format('%s is too short or too long', p_place);
    end if;
    if jsonb_typeof(p_value) = 'array' and p_schema ? 'items' then
        for v_part in
            select e.value, e.number from jsonb_array_elements(p_value) with ordinality as e (value, number)
        loop
            v_problem := decisions.schema_problem(
                p_schema -> 'items', v_part.value, format('%s[%s]', p_place, v_part.number)
            );
            if v_problem is not null then
                return v_problem;
            end if;
        end loop;
    elsif jsonb_typeof(p_value) = 'object' then
        select string_agg(r.name, ', ')
        into v_problem
        from jsonb_array_elements_text(coalesce(p_schema -> 'required', '[]')) as r (name)
        where not p_value ? r.name;
        if v_problem is not null then
            return format('%s lacks %s', p_place, v_problem);
        end if;
        for v_part in select m.key, m.value from jsonb_each(p_value) as m loop
            if not coalesce(p_schema -> 'properties', '{}') ? v_part.key then
                if p_schema -> 'additionalProperties' = 'false' then
                    return format('%s has the unknown member %s', p_place, left(v_part.key, 100));
                end if;
                continue;
            end if;
            v_problem := decisions.schema_problem(
                p_schema -> 'properties' -> v_part.key, v_part.value, format('%s.%s', p_place, v_part.key)
            );
            if v_problem is not null then
                return v_problem;
            end if;
        end loop;
    end if;
    return null;
end
$function$;
comment on function decisions.schema_problem(jsonb, jsonb, text) is
'Checks a value against a JSON Schema. Arguments: p_schema: the schema; p_value: the value; p_place: name of the value '
'in the returned sentence. Returns a sentence about the first mistake. Returns null if there is no mistake.';
