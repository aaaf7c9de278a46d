create or replace function catalog.allowed_value(p_kind text, p_value text)
returns text
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_value text;
begin
    begin
        case p_kind
            when 'network' then v_value := network(p_value::inet)::text;
            when 'program' then
                v_value := array_to_json(
                    array(
                        select e.value
                        from jsonb_array_elements_text(p_value::jsonb) with ordinality as e
                        order by e.ordinality
                    )
                )::text;
                v_value := nullif(v_value, '[]');
            when 'secret' then v_value := substring(p_value from '^secret:[A-Za-z0-9_./-]+$');
            when 'environment' then v_value := substring(p_value from '^env:[A-Za-z0-9_./-]+$');
            else v_value := null;
        end case;
    exception
        when invalid_text_representation or invalid_parameter_value then
            v_value := null;
    end;
    if v_value is null then
        perform core.fail(
            'allowance_invalid', format('%L is not a valid value for a permission of the kind %L', p_value, p_kind)
        );
    end if;
    return v_value;
end
$function$;
comment on function catalog.allowed_value(text, text) is
'Checks the value of a permission that an administrator gives to origins (see api.allow). Arguments: p_kind: kind of '
'the permission (program, environment, secret or network); p_value: the value, as in api.allow. Returns the value in '
'the form in which it is stored. Raises QM422 allowance_invalid.';
