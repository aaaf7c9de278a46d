-- catalog.check_start_limit: refuses a time limit for starts that makes no sense.
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
'Checks how long a start of an origin''s server may take. Arguments: p_origin: name of the origin, for the error; '
'p_start_limit_s: number of seconds, or null. Raises QM422 origin_invalid. Can be null: p_start_limit_s.';
