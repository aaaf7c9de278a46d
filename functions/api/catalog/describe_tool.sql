-- api.describe_tool: missing, deprecated and invisible tools raise the same error. Versions that are not approved are
-- not described.
create or replace function api.describe_tool(name text, as_of timestamptz default null)
returns table (
    callable_name text,
    origin text,
    tool text,
    version integer,
    title text,
    description text,
    input_schema jsonb,
    output_schema jsonb,
    annotations jsonb,
    extra jsonb,
    content_hash text,
    valid_from timestamptz,
    valid_to timestamptz
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal(), core.require_past(describe_tool.as_of);
    return query
    select
        i.public_name,
        o.name,
        i.name,
        v.version,
        v.definition ->> 'title',
        coalesce(v.definition ->> 'description', ''),
        v.definition -> 'input_schema',
        nullif(v.definition -> 'output_schema', 'null'),
        v.definition -> 'annotations',
        v.definition -> 'extra',
        encode(v.content_hash, 'hex'),
        v.valid_from,
        v.valid_to
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    inner join catalog.item_version as v on v.item_id = i.id
    where i.kind = 'tool'
        and i.public_name = describe_tool.name
        and case
            when describe_tool.as_of is null then i.is_live and v.valid_to is null
            else exists (
                select from catalog.offer as f
                where f.item_id = i.id
                    and f.version = v.version
                    and f.valid_from <= describe_tool.as_of
                    and (f.valid_to is null or f.valid_to > describe_tool.as_of)
            )
        end;
    if not found then
        perform catalog.refuse_withheld('tool', describe_tool.name);
        perform search.refuse_name('tool', describe_tool.name);
    end if;
end
$function$;
comment on function api.describe_tool(text, timestamptz) is
'Returns the full definition of a tool. Example: `select d.description, d.input_schema from tools as t, '
'describe_tool(t.name) as d where t.status = ''approved'' limit 1;` Arguments: name: callable name (origin__tool); '
'as_of: a time in the past, to get the definition that was offered then (default: now). Raises QM404 tool_not_found if '
'the caller may not see a tool of this name, and QM409 tool_withheld if the tool is waiting for approval or is in '
'quarantine. Also raises QM422 argument_invalid. Can be null: title, valid_to.';
alter function api.describe_tool owner to qm_reader;
grant execute on function api.describe_tool to qm_user;
