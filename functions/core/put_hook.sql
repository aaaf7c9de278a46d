-- core.put_hook: the files under sql/kinds/ call this function.
-- Writes: core.hook.
create or replace function core.put_hook(p_point text, p_function text, p_place integer default 0)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_point core.hook_point;
begin
    select p.* into v_point from core.hook_point as p where p.name = p_point;
    if v_point.name is null then
        perform core.fail(
            'kind_invalid',
            format('there is no hook point %L', left(p_point, 200)),
            null,
            'The table core.hook_point lists them.'
        );
    end if;
    if not exists (
        select from pg_proc as f
        where f.oid = to_regprocedure(format('%s(%s)', p_function, v_point.arguments))
            and pg_get_function_result(f.oid) = v_point.returns
    ) then
        perform core.fail(
            'kind_invalid',
            format('there is no function %s(%s) that returns %s', p_function, v_point.arguments, v_point.returns),
            null,
            format('The hook point %s calls such a function.', p_point)
        );
    end if;
    insert into core.hook as h (point, function, place) values (p_point, p_function, p_place)
    on conflict (point, function) do update set place = excluded.place;
end
$function$;
comment on function core.put_hook(text, text, integer) is
'Registers a function that is called at a hook point. (A hook point is a place in the code at which functions of kinds '
'are called.) Arguments: p_point: name of the hook point; p_function: name of the function with its schema; p_place: '
'functions with a lower place are called first. Raises QM422 kind_invalid.';
