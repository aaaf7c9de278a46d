-- selection.put_task_part: the files under sql/kinds/ call it.
-- Writes: selection.task_part.
create or replace function selection.put_task_part(
    p_name text,
    p_place integer,
    p_function text,
    p_needs_project boolean default false,
    p_is_ranked boolean default false,
    p_kinds text[] default '{}',
    p_floor_setting text default null,
    p_best_setting text default null
)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if to_regprocedure(format('%s(selection.task)', p_function)) is null then
        perform core.fail(
            'kind_invalid',
            format('the part %s of a task names a function %s(selection.task) that does not exist', p_name, p_function)
        );
    end if;
    insert into selection.task_part as t (
        name, place, function, needs_project, is_ranked, kinds, floor_setting, best_setting
    )
    values (p_name, p_place, p_function, p_needs_project, p_is_ranked, p_kinds, p_floor_setting, p_best_setting)
    on conflict (name) do update
    set
        place = excluded.place,
        function = excluded.function,
        needs_project = excluded.needs_project,
        is_ranked = excluded.is_ranked,
        kinds = excluded.kinds,
        floor_setting = excluded.floor_setting,
        best_setting = excluded.best_setting;
end
$function$;
comment on function selection.put_task_part(text, integer, text, boolean, boolean, text[], text, text) is
'Adds a part to the answers of api.start_task. Arguments: the columns of the table selection.task_part; the comments '
'on these columns describe the arguments. Raises QM422 kind_invalid.';
