-- catalog.put_tools: stores a batch of tool definitions; each becomes a row, a version when it is new or changed, and a card.
-- A definition that cannot be stored is rejected with its reason and does not stop the others.
-- Each element: {origin, name, title, description, input_schema, output_schema, annotations, categories, examples, extra}.
-- Raises: QM422 tools_invalid.  Writes: catalog.tool, catalog.tool_version, cards.
create or replace function catalog.put_tools(p_tools jsonb)
returns table (name text, callable_name text, outcome text, reason text)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_now constant timestamptz := core.now();
    v_id bigint;
    v_fresh bigint[] := array[]::bigint[];
begin
    if jsonb_typeof(p_tools) is distinct from 'array' then
        perform core.fail('tools_invalid', 'the batch of tools is not a JSON array');
    end if;

    for name, callable_name, outcome, reason, v_id in
    with given as (
        select
            e.position,
            e.tool,
            e.tool ->> 'name' as name,
            o.id as origin_id,
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
            g.*,
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
    ),

    written as (
        insert into catalog.tool as t (
            origin_id, name, callable_name, title, brief, description, input_schema, output_schema,
            annotations, categories, examples, extra, content_hash, first_seen_at, last_seen_at
        )
        select
            j.origin_id,
            j.name,
            j.callable_name,
            j.tool ->> 'title',
            catalog.brief(j.tool ->> 'description'),
            coalesce(j.tool ->> 'description', ''),
            j.input_schema,
            j.output_schema,
            j.annotations,
            array(select jsonb_array_elements_text(case when jsonb_typeof(j.tool -> 'categories') = 'array' then j.tool -> 'categories' else '[]' end)),
            case when jsonb_typeof(j.tool -> 'examples') = 'array' then j.tool -> 'examples' else '[]' end,
            j.extra,
            j.content_hash,
            v_now,
            v_now
        from judged as j
        where j.reason is null
        order by j.origin_id, j.name
        on conflict (origin_id, name) do update
        set
            version = t.version + (t.content_hash <> excluded.content_hash)::integer,
            title = excluded.title,
            brief = excluded.brief,
            description = excluded.description,
            input_schema = excluded.input_schema,
            output_schema = excluded.output_schema,
            annotations = excluded.annotations,
            categories = excluded.categories,
            examples = excluded.examples,
            extra = excluded.extra,
            content_hash = excluded.content_hash,
            last_seen_at = excluded.last_seen_at,
            deprecated_at = null
        returning t.id, t.origin_id, t.name, t.callable_name, t.version, t.content_hash
    ),

    compared as (
        -- The statement reads catalog.tool as it was before: what is missing there was added.
        select
            w.*,
            case
                when b.id is null then 'added'
                when b.content_hash <> w.content_hash or b.deprecated_at is not null then 'changed'
                else 'unchanged'
            end as outcome,
            b.id is null or b.content_hash <> w.content_hash as is_new_version
        from written as w
        left join catalog.tool as b on b.id = w.id
    ),

    closed as (
        update catalog.tool_version as v
        set valid_to = v_now
        from compared as c
        where v.tool_id = c.id and v.valid_to is null and c.is_new_version
        returning v.tool_id
    ),

    versioned as (
        insert into catalog.tool_version (tool_id, version, valid_from, content_hash, definition)
        select
            c.id,
            c.version,
            v_now,
            c.content_hash,
            jsonb_build_object(
                'name', j.name,
                'title', j.tool -> 'title',
                'description', j.tool -> 'description',
                'input_schema', j.input_schema,
                'output_schema', j.output_schema,
                'annotations', j.annotations,
                'extra', j.extra
            )
        from compared as c
        inner join judged as j on j.origin_id = c.origin_id and j.name = c.name and j.reason is null
        -- Counting makes the old versions close first: at most one may be open.
        where c.is_new_version and (select count(*) from closed) >= 0
        returning tool_id
    )

    select j.name, c.callable_name, coalesce(c.outcome, 'rejected'), j.reason, c.id
    from judged as j
    left join compared as c on j.reason is null and c.origin_id = j.origin_id and c.name = j.name
    order by j.position
    loop
        if outcome in ('added', 'changed') then
            v_fresh := v_fresh || v_id;
        end if;
        return next;
    end loop;

    if v_fresh <> '{}' then
        perform search.put_cards('tool', catalog.tool_cards(v_fresh));
    end if;
end
$function$;
comment on function catalog.put_tools(jsonb) is
'Stores tool definitions of known origins. Returns for each, in order: name, callable name, outcome (added, changed, unchanged, rejected) and why it was rejected.';
