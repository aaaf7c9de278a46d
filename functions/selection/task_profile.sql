create or replace function selection.task_profile(p_task selection.task)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_array(
        jsonb_build_object('name', 'project', 'text', projects.profile(p_task.project_id), 'score', 1)
    );
$function$;
comment on function selection.task_profile(selection.task) is
'Returns the part "profile" of an answer of api.start_task (see selection.task_part). Argument p_task: the task.';
grant execute on function selection.task_profile to qm_reader;
