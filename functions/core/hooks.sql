create or replace function core.hooks(p_point text)
returns setof regproc
language sql
stable parallel safe security invoker
rows 3
set search_path = pg_catalog, pg_temp
as $function$
    select to_regproc(h.function)
    from core.hook as h
    where h.point = p_point
    order by h.place, h.function;
$function$;
comment on function core.hooks(text) is
'Lists the functions that are called at a hook point. (A hook point is a place in the code at which functions of kinds '
'are called.) Argument p_point: name of the hook point. Returns the functions in the order in which they are called.';
grant execute on function core.hooks to qm_reader;
