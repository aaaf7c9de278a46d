-- lookup.stem: the function is written in PL/pgSQL, because an SQL function would be slower (see lookup.normalize).
create or replace function lookup.stem(p_name text)
returns text
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return regexp_replace(
        regexp_replace(
            translate(
                replace(replace(replace(replace(p_name, 'ae', 'e'), 'oe', 'e'), 'ph', 'f'), 'th', 't'), 'yjk', 'iic'
            ),
            '(.)\1',
            '\1',
            'g'
        ),
        '(us|um|is|os|on|a|e|i)\M' collate core.c_utf8,
        '',
        'g'
    );
end
$function$;
comment on function lookup.stem(text) is
'Unifies the variants of Latin spelling in a name: ae and e, ph and f, y and i, double and single letters. Gender '
'endings are removed. Argument p_name: the normalised name. Returns the name in the unified spelling.';
