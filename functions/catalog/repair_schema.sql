-- catalog.repair_schema: a change that no longer fits is left out, so that the tool can still be called. A schema may
-- name its arguments in other places, too, such as anyOf or dependentRequired. Such an argument is neither renamed nor
-- hidden, because the other places would then be wrong.
create or replace function catalog.repair_schema(p_schema jsonb, p_arguments jsonb, p_expected text[])
returns jsonb
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_listed constant jsonb := case jsonb_typeof(p_schema -> 'properties')
        when 'object' then p_schema -> 'properties'
        else '{}'
    end;
    v_elsewhere constant text := (
        p_schema - '{properties,required,examples,default,title,description}'::text[]
    )::text;
    v_properties jsonb := v_listed;
    v_required text[] := coalesce(policy.text_list(p_schema -> 'required'), '{}');
    v_names jsonb := '{}'::jsonb;
    v_values jsonb := '{}'::jsonb;
    v_hidden text[] := '{}'::text[];
    v_aside text[] := '{}'::text[];
    v_schema jsonb := p_schema;
    v_name text;
    v_repaired jsonb;
    v_change jsonb;
    v_new text;
    v_hides boolean;
    v_problem text;
begin
    for v_name, v_change in
        select a.key, a.value from jsonb_each(p_arguments) as a order by a.key collate core.c_utf8
    loop
        continue when not v_listed ? v_name and v_name <> all(p_expected);
        v_new := nullif(v_change ->> 'name', v_name);
        v_hides := v_change @> '{"hidden": true}';
        v_problem := case
            when not v_listed ? v_name then coalesce(
                (
                    select format(
                        '%L is a new name: the change must name the argument %L',
                        v_name,
                        min(o.key collate core.c_utf8)
                    )
                    from jsonb_each(p_arguments) as o
                    where o.value ->> 'name' = v_name and v_listed ? o.key
                    having count(*) > 0
                ),
                format('the tool has no argument %L', v_name)
            )
            when v_listed ? v_new or v_names ? v_new
                then format('the tool has another argument called %L', v_new)
            when (v_new is not null or v_hides) and strpos(v_elsewhere, to_jsonb(v_name)::text) > 0
                then format('the input schema names the argument %L outside of its properties, too', v_name)
            when v_hides and v_name = any(v_required) and not v_change ? 'default'
                then format('the argument %L is required, so it needs a default to be hidden', v_name)
            else catalog.default_problem(v_name, v_listed -> v_name, v_change -> 'default')
        end;
        if v_problem is not null then
            v_aside := v_aside || v_problem;
            continue;
        end if;
        v_properties := v_properties - v_name;
        if v_change ? 'default' then
            v_values := v_values || jsonb_build_object(v_name, v_change -> 'default');
            v_required := array_remove(v_required, v_name);
        end if;
        if v_hides then
            v_hidden := v_hidden || v_name;
            continue;
        end if;
        if v_new is not null then
            v_names := v_names || jsonb_build_object(v_new, v_name);
            v_required := array_replace(v_required, v_name, v_new);
        end if;
        v_repaired := case jsonb_typeof(v_listed -> v_name) when 'object' then v_listed -> v_name else '{}' end
            || (v_change - '{name,hidden}'::text[]);
        v_properties := v_properties || jsonb_build_object(coalesce(v_new, v_name), v_repaired);
    end loop;
    if v_properties <> v_listed or v_values <> '{}' then
        v_schema := v_schema - 'required' || jsonb_build_object('properties', v_properties);
        if v_required <> '{}' then
            v_schema := v_schema || jsonb_build_object('required', v_required);
        end if;
    end if;
    return jsonb_build_object(
        'schema', v_schema, 'names', v_names, 'values', v_values, 'hidden', v_hidden, 'aside', v_aside
    );
end
$function$;
comment on function catalog.repair_schema(jsonb, jsonb, text[]) is
'Changes the arguments in the input schema of a tool. Arguments: p_schema: the schema that the origin lists; '
'p_arguments: JSON that maps the names of arguments to their changes {name, description, default, hidden}; p_expected: '
'names of arguments whose absence is reported. Returns JSON: schema, the changed schema; names, which maps new names '
'to the names at the origin; values, which maps names at the origin to defaults; hidden, names at the origin; and '
'aside, sentences about the changes that do not fit the schema and are therefore left out.';
