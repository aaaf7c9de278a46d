create or replace function lookup.require_page(p_maximum integer, p_skip integer)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_maximum is null or p_maximum not between 1 and 100 then
        perform core.fail(
            'argument_invalid',
            format('the size of a page must be between 1 and 100, got %s', coalesce(p_maximum::text, 'null')),
            null,
            'Ask for 1 to 100 results.'
        );
    elsif p_skip is null or p_skip not between 0 and 10000 then
        perform core.fail(
            'argument_invalid',
            format(
                'the number of results to skip must be between 0 and 10,000, got %s', coalesce(p_skip::text, 'null')
            ),
            null,
            'To get fewer results, search for a longer part of the name.'
        );
    end if;
end
$function$;
comment on function lookup.require_page(integer, integer) is
'Checks the arguments for one page of results. Arguments: p_maximum: maximum number of results on the page; p_skip: '
'number of results to skip before the page. Raises QM422 argument_invalid if one of these numbers is invalid.';
grant execute on function lookup.require_page to qm_reader;
