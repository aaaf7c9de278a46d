create or replace function catalog.check_start_limit(p_origin text, p_start_limit_s integer)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_start_limit_s not between 1 and 86400 then
        perform core.fail(
            'origin_invalid',
            format(
                'the start limit of origin %L must be between 1 and 86400 seconds, not %s', p_origin, p_start_limit_s
            )
        );
    end if;
end
$function$;
comment on function catalog.check_start_limit(text, integer) is
'Checks the longest time that the server of an origin may take to start. Arguments: p_origin: name of the origin, for '
'the text of the error; p_start_limit_s: this time in seconds (null is allowed). Raises QM422 origin_invalid if the '
'time is not between 1 and 86400 seconds.';
