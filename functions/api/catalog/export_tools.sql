-- api.export_tools: imports and evaluations can read the result, because it has the format of a tools file. The members
-- id and dup of imported files are left out: their values in several files may contradict each other.
create or replace function api.export_tools(after_name text default '', limit_to integer default 1000)
returns table (name text, tool jsonb)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        i.public_name,
        (i.definition -> 'extra') - '{id,dup}'::text[]
        || (i.definition - '{extra,title,output_schema,description,pinned,repair}'::text[])
        || jsonb_strip_nulls(jsonb_build_object('title', i.definition -> 'title'))
        || case
            when i.definition -> 'output_schema' = 'null' then '{}'
            else jsonb_build_object('output_schema', i.definition -> 'output_schema')
        end
        || jsonb_build_object(
            'name', i.name,
            'origin', o.name,
            'origin_description', o.description,
            'description', coalesce(i.definition ->> 'description', '')
        )
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    where i.kind = 'tool' and i.is_live and i.public_name > export_tools.after_name
    order by i.public_name
    limit export_tools.limit_to;
$function$;
comment on function api.export_tools(text, integer) is
'Exports the tools, in the order of their callable names. Arguments: after_name: return only tools whose callable '
'names follow this name in alphabetical order; limit_to: maximum number of tools to return. Returns for each tool its '
'callable name and its definition, as JSON. The definition also contains the members origin (name of the origin) and '
'origin_description.';
alter function api.export_tools owner to qm_reader;
grant execute on function api.export_tools to qm_user;
