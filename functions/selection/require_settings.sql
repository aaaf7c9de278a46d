create or replace function selection.require_settings(p_name text, p_settings jsonb)
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_known constant text[] := array(
        select a.attname::text
        from pg_attribute as a
        where a.attrelid = 'selection.mode'::regclass and a.attnum > 0 and not a.attisdropped and a.attname <> 'name'
        order by a.attnum
    );
    v_unknown text;
begin
    if jsonb_typeof(p_settings) is distinct from 'object' then
        perform core.fail('profile_invalid', format('the settings of %s must be a JSON object', p_name));
    end if;
    select k.key
    into v_unknown
    from jsonb_object_keys(p_settings) as k (key)
    where k.key <> all(v_known)
    order by k.key collate core.c_utf8
    limit 1;
    if v_unknown is not null then
        perform core.fail(
            'profile_invalid',
            format('the settings of %s have an unknown key: %s', p_name, v_unknown),
            'known: ' || array_to_string(v_known, ', '),
            format(
                'Did you mean %s?',
                (
                    select n.name
                    from unnest(v_known) as n (name)
                    order by ext.similarity(n.name, v_unknown) desc, n.name collate core.c_utf8
                    limit 1
                )
            )
        );
    end if;
    return p_settings;
end
$function$;
comment on function selection.require_settings(text, jsonb) is
'Checks the settings of a search mode or of a canary (a trial of other settings). Arguments: p_name: name of the mode '
'or canary, for the error message; p_settings: the settings, whose keys are columns of selection.mode. Returns the '
'settings unchanged. Raises QM422 profile_invalid if a setting is invalid.';
