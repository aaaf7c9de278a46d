create or replace function catalog.each_definition(p_function text, p_definitions jsonb[])
returns jsonb[]
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_results jsonb[];
begin
    if p_function is null or p_definitions is null then
        return p_definitions;
    end if;
    execute format(
        'select array_agg(to_jsonb(%s(d.definition)) order by d.position) from unnest($1) with ordinality as d '
        '(definition, position)',
        p_function::regproc
    )
    into v_results
    using p_definitions;
    return v_results;
end
$function$;
comment on function catalog.each_definition(text, jsonb[]) is
'Applies one function to many definitions, in one statement. (The columns of search.kind name such functions for each '
'kind of card.) Arguments: p_function: name of the function, which takes one definition (null: no function); '
'p_definitions: the definitions. Returns the results of the function in the same order (without a function: the '
'definitions themselves).';
grant execute on function catalog.each_definition to qm_reader;
