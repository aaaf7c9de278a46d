create or replace function lookup.refuse_query(p_problem text[])
returns void
language plpgsql
stable strict parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    case p_problem[1]
        when 'query_empty' then perform core.fail('query_empty', p_problem[2], null, p_problem[3]);
        when 'query_too_long' then perform core.fail('query_too_long', p_problem[2], null, p_problem[3]);
        when 'property_unknown' then perform core.fail('property_unknown', p_problem[2], null, p_problem[3]);
        else perform core.fail('argument_invalid', p_problem[2], null, p_problem[3]);
    end case;
end
$function$;
comment on function lookup.refuse_query(text[]) is
'Raises an error for a mistake that lookup.query_problem found. Argument p_problem: result of lookup.query_problem '
'(null: there is no mistake, and the function does nothing). The errors are QM413 query_too_long, QM422 query_empty, '
'property_unknown, argument_invalid.';
grant execute on function lookup.refuse_query to qm_reader;
