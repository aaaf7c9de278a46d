-- api.list_origin_tools: the tools of one origin as it lists them itself, of those that you may use.
create or replace function api.list_origin_tools(of_origin text)
returns table (
    name text,
    callable_name text,
    title text,
    description text,
    input_schema jsonb,
    output_schema jsonb,
    annotations jsonb,
    extra jsonb
)
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select
        t.name,
        t.callable_name,
        t.title,
        t.description,
        t.input_schema,
        t.output_schema,
        t.annotations,
        t.extra
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    where o.name = list_origin_tools.of_origin and t.is_live
    order by t.name;
$function$;
comment on function api.list_origin_tools(text) is 'Argument: origin. Returns name there, callable name and definition of each tool.';
grant execute on function api.list_origin_tools to qm_user;
