-- selection.rounded: it is written in PL/pgSQL, because every search calls it for each card, and PL/pgSQL caches the
-- plan.
create or replace function selection.rounded(p_object jsonb)
returns jsonb
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return (
        select coalesce(
            jsonb_object_agg(
                m.key,
                case jsonb_typeof(m.value) when 'number' then to_jsonb(round(m.value::numeric, 4)) else m.value end
            ),
            '{}'
        )
        from jsonb_each(p_object) as m
    );
end
$function$;
comment on function selection.rounded(jsonb) is
'Rounds the numbers in a JSON object to four decimals. Argument p_object: the JSON object. Returns the same JSON '
'object with rounded numbers.';
grant execute on function selection.rounded to qm_reader;
