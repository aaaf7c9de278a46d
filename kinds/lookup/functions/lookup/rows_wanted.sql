-- lookup.rows_wanted: an invalid number is returned unchanged, because lookup.query_problem or lookup.reconcile_problem
-- reports it later.
create or replace function lookup.rows_wanted(p_query jsonb, p_default integer)
returns integer
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when jsonb_typeof(p_query -> 'limit') = 'number'
            then least(greatest((p_query ->> 'limit')::numeric, -1), 1000)::integer
        else p_default
    end;
$function$;
comment on function lookup.rows_wanted(jsonb, integer) is
'Returns the number of rows that a query in a batch requests. Arguments: p_query: the query as JSON, with or without '
'the member "limit"; p_default: number of rows for a query without a limit.';
grant execute on function lookup.rows_wanted to qm_reader;
