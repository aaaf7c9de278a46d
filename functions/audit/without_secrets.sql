create or replace function audit.without_secrets(p_row jsonb, p_hidden text[])
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_object_agg(
        m.key, case when m.key = any(p_hidden) and m.value <> 'null' then '"hidden"' else m.value end
    )
    from jsonb_each(p_row) as m;
$function$;
comment on function audit.without_secrets(jsonb, text []) is
'Hides secret values in a row, so that audit records do not contain these values. Arguments: p_row: the row; p_hidden: '
'names of the members to hide. Returns the row, in which the word "hidden" replaces the values of these members.';
