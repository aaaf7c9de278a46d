-- api.export_tools: the tools of the catalog that you may use, as objects of a tools file, as evaluations and imports read it.
-- Members id and dup of a file that was imported are left out: those of several files may contradict each other.
create or replace function api.export_tools(after_name text default '', limit_to integer default 1000)
returns table (name text, tool jsonb)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        t.callable_name,
        t.extra - '{id,dup}'::text[]
        || jsonb_build_object(
            'origin', o.name,
            'origin_description', o.description,
            'name', t.name,
            'description', t.description,
            'input_schema', t.input_schema,
            'annotations', t.annotations,
            'categories', t.categories,
            'examples', t.examples
        )
        || case when t.title is null then '{}' else jsonb_build_object('title', t.title) end
        || case when t.output_schema is null then '{}' else jsonb_build_object('output_schema', t.output_schema) end
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    where t.is_live and t.callable_name > export_tools.after_name
    order by t.callable_name
    limit export_tools.limit_to;
$function$;
comment on function api.export_tools(text, integer) is
'By callable name. Arguments: only tools after this name; how many. Returns callable name and tool: {origin, origin_description, name, title, description, input_schema, output_schema, annotations, categories, examples} and what else its definition has.';
grant execute on function api.export_tools to qm_user;
