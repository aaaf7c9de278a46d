create or replace function lookup.told_problem(p_problem text[])
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when p_problem is not null
            then jsonb_build_object('slug', p_problem[1], 'message', p_problem[2], 'hint', p_problem[3])
    end;
$function$;
comment on function lookup.told_problem(text[]) is
'Converts a mistake to the JSON object that the caller of a batch receives. Argument p_problem: result of '
'lookup.query_problem or lookup.reconcile_problem: slug (short name of the error), message and hint (null: no '
'mistake). Returns JSON {slug, message, hint}. Returns null if there is no mistake.';
grant execute on function lookup.told_problem to qm_reader;
