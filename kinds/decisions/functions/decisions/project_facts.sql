create or replace function decisions.project_facts(p_project_id integer)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_array(
        jsonb_build_array(
            'Knowledge', format('%s canonical %s', count(*), case count(*) when 1 then 'decision' else 'decisions' end)
        )
    )
    from decisions.decision as d
    where d.project_id = p_project_id and d.status = 'canonical';
$function$;
comment on function decisions.project_facts(integer) is
'Tells how many decisions a project has (hook point project_facts). Argument p_project_id: id of the project. Returns '
'a JSON array with one pair: Knowledge, and the number of canonical decisions.';
grant execute on function decisions.project_facts to qm_reader;
