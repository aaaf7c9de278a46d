-- catalog.judge_tools: a batch of tool definitions as they are to be stored, or why one cannot be; and why one would have to wait.
-- What nobody handed over by hand waits where its origin's approval says so, unless it is again what was approved last, but for
-- extra: icons and _meta may be others each time, and no model reads them.
create or replace function catalog.judge_tools(p_tools jsonb, p_by_hand boolean)
returns table (
    "position" bigint, tool jsonb, name text, origin_id bigint, callable_name text, input_schema jsonb, output_schema jsonb,
    annotations jsonb, extra jsonb, definition jsonb, content_hash bytea, reason text, waits_because text
)
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    with given as (
        select
            e.position,
            e.tool,
            e.tool ->> 'name' as name,
            o.id as origin_id,
            case when p_by_hand then 'none' else coalesce(o.approval, (select core.get_setting('catalog.approval') #>> '{}')) end as approval,
            coalesce(nullif(e.tool -> 'input_schema', 'null'), '{"type": "object"}') as input_schema,
            nullif(e.tool -> 'output_schema', 'null') as output_schema,
            coalesce(nullif(e.tool -> 'annotations', 'null'), '{}') as annotations,
            coalesce(nullif(e.tool -> 'extra', 'null'), '{}') as extra,
            row_number() over (partition by o.id, e.tool ->> 'name' order by e.position) as occurrence,
            catalog.callable_name(o.slug, o.name, e.tool ->> 'name') as callable_name,
            row_number() over (
                partition by catalog.callable_name(o.slug, o.name, e.tool ->> 'name') order by e.position
            ) as claim
        from jsonb_array_elements(p_tools) with ordinality as e (tool, position)
        left join catalog.origin as o on o.name = e.tool ->> 'origin'
    ),

    judged as (
        select
            g.position,
            g.tool,
            g.name,
            g.origin_id,
            g.approval,
            g.callable_name,
            g.input_schema,
            g.output_schema,
            g.annotations,
            g.extra,
            jsonb_build_object(
                'name', g.name,
                'title', g.tool -> 'title',
                'description', g.tool -> 'description',
                'input_schema', g.input_schema,
                'output_schema', g.output_schema,
                'annotations', g.annotations,
                'extra', g.extra
            ) as definition,
            sha256(
                convert_to(
                    jsonb_build_array(
                        g.name, g.tool -> 'title', g.tool -> 'description', g.input_schema, g.output_schema, g.annotations, g.extra
                    )::text, 'UTF8'
                )
            ) as content_hash,
            case
                when jsonb_typeof(g.tool) <> 'object' then 'the definition is not a JSON object'
                when jsonb_typeof(g.tool -> 'name') is distinct from 'string' or g.name = '' then 'the name is missing'
                when length(g.name) > 512 then 'the name is longer than 512 characters'
                when g.origin_id is null then 'the origin is unknown'
                when g.occurrence > 1 then 'the origin lists this name twice; the first definition counts'
                when g.claim > 1 or exists (
                    select from catalog.tool as x where x.callable_name = g.callable_name and (x.origin_id, x.name) <> (g.origin_id, g.name)
                ) then 'another tool has its callable name'
                when jsonb_typeof(coalesce(g.tool -> 'description', '""')) not in ('string', 'null') then 'the description is not text'
                when jsonb_typeof(coalesce(g.tool -> 'title', '""')) not in ('string', 'null') then 'the title is not text'
                when jsonb_typeof(g.input_schema) <> 'object' then 'the input schema is not a JSON object'
                when jsonb_typeof(g.output_schema) <> 'object' then 'the output schema is not a JSON object'
                when jsonb_typeof(g.annotations) <> 'object' then 'the annotations are not a JSON object'
            end as reason
        from given as g
    )

    select
        j.position,
        j.tool,
        j.name,
        j.origin_id,
        j.callable_name,
        j.input_schema,
        j.output_schema,
        j.annotations,
        j.extra,
        j.definition,
        j.content_hash,
        j.reason,
        case
            when j.approval = 'none' or a.definition - 'extra' = j.definition - 'extra' then ''
            when b.id is not null then 'it changed'
            when j.approval = 'all' then 'it is new'
            else ''
        end as waits_because
    from judged as j
    left join catalog.tool as b on b.origin_id = j.origin_id and b.name = j.name
    left join catalog.tool_version as a on a.tool_id = b.id and a.version = b.approved_version;
$function$;
comment on function catalog.judge_tools(jsonb, boolean) is
'Arguments: see catalog.put_tools. Returns each element with its place, origin (null where it is unknown), callable name, members with their defaults, definition as a version keeps it, its hash, why it is rejected, or null, and why it waits, empty if it does not.';
