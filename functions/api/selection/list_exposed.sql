-- api.list_exposed: the tools that a session's searches have found, for its tools/list.
create or replace function api.list_exposed(session text)
returns table (
    name text, title text, description text, input_schema jsonb, output_schema jsonb, annotations jsonb, extra jsonb
)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        t.callable_name,
        t.title,
        t.description,
        t.input_schema,
        t.output_schema,
        t.annotations,
        t.extra
    from selection.exposure as e
    inner join catalog.tool as t on t.id = e.ref
    where e.session = list_exposed.session and e.kind = 'tool' and t.is_live
    order by t.callable_name;
$function$;
comment on function api.list_exposed(text) is 'Definitions of the tools exposed to a session of the asking principal, by name.';
grant execute on function api.list_exposed to qm_user;
