-- catalog.put_tools: stores a batch of tool definitions; each becomes a row, a version when it is new or changed, and a card when it is live.
-- A definition that cannot be stored (catalog.judge_tools) is rejected with its reason and does not stop the others.
-- What nobody handed over by hand waits where its origin's approval says so, unless it is again what was approved last, but for
-- extra: icons and _meta may be others each time, and no model reads them.
-- What an operator put into quarantine or deprecated stays there, however it changes. All that is new is scanned.
-- Each element: {origin, name, title, description, input_schema, output_schema, annotations, categories, examples, extra}.
-- Raises: QM422 tools_invalid.  Writes: catalog.tool, catalog.tool_version, catalog.finding, cards.
create or replace function catalog.put_tools(p_tools jsonb, p_by_hand boolean default true)
returns table (name text, callable_name text, outcome text, reason text)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_now constant timestamptz := core.now();
    v_stored jsonb;
    v_fresh bigint[];
begin
    if jsonb_typeof(p_tools) is distinct from 'array' then
        perform core.fail('tools_invalid', 'the batch of tools is not a JSON array');
    end if;

    with judged as materialized (
        select * from catalog.judge_tools(p_tools, p_by_hand)
    ),

    decided as (
        select
            j.*,
            case
                when j.approval = 'none' or a.definition - 'extra' = j.definition - 'extra' then ''
                when b.id is not null then 'it changed'
                when j.approval = 'all' then 'it is new'
                else ''
            end as waits_because
        from judged as j
        left join catalog.tool as b on b.origin_id = j.origin_id and b.name = j.name
        left join catalog.tool_version as a on a.tool_id = b.id and a.version = b.approved_version
        where j.reason is null
    ),

    written as (
        insert into catalog.tool as t (
            origin_id, name, callable_name, title, brief, description, input_schema, output_schema,
            annotations, categories, examples, extra, content_hash, first_seen_at, last_seen_at,
            status, status_reason, status_at, approved_version
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
            v_now,
            case when j.waits_because = '' then 'approved' else 'pending' end,
            j.waits_because,
            v_now,
            case when j.waits_because = '' then 1 end
        from decided as j
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
            deprecated_at = null,
            (status, status_reason, status_at, approved_version) = (
                select s.status, s.status_reason, s.status_at, s.approved_version
                from (
                    -- Of the row as it is locked now: an operator may have decided since the batch was read.
                    select t.status, t.status_reason, t.status_at, t.approved_version
                    where t.content_hash = excluded.content_hash or t.status in ('quarantined', 'deprecated')
                    union all
                    select
                        excluded.status,
                        excluded.status_reason,
                        excluded.status_at,
                        case when excluded.status = 'approved' then t.version + 1 else t.approved_version end
                    where t.content_hash <> excluded.content_hash and t.status not in ('quarantined', 'deprecated')
                ) as s
            )
        returning t.id, t.origin_id, t.name, t.callable_name, t.version, t.content_hash, t.status
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
        insert into catalog.tool_version (tool_id, version, valid_from, content_hash, approved_at, definition)
        select
            c.id,
            c.version,
            v_now,
            c.content_hash,
            case when c.status = 'approved' then v_now end,
            j.definition
        from compared as c
        inner join judged as j on j.origin_id = c.origin_id and j.name = c.name and j.reason is null
        -- Counting makes the old versions close first: at most one may be open.
        where c.is_new_version and (select count(*) from closed) >= 0
        returning tool_id
    )

    select
        jsonb_agg(
            jsonb_build_object(
                'id', c.id, 'name', j.name, 'callable_name', c.callable_name, 'outcome', coalesce(c.outcome, 'rejected'), 'reason', j.reason
            )
            order by j.position
        ),
        array_agg(c.id) filter (where c.outcome <> 'unchanged')
    into v_stored, v_fresh
    from judged as j
    left join compared as c on j.reason is null and c.origin_id = j.origin_id and c.name = j.name;

    if v_fresh is not null then
        perform catalog.scan_tools(v_fresh);
        perform catalog.show_tools(v_fresh);
    end if;
    return query
    select
        s.stored ->> 'name',
        s.stored ->> 'callable_name',
        s.stored ->> 'outcome',
        coalesce(s.stored ->> 'reason', t.status || ': ' || t.status_reason)
    from jsonb_array_elements(v_stored) with ordinality as s (stored, position)
    left join catalog.tool as t on t.id = (s.stored ->> 'id')::bigint and not t.is_live
    order by s.position;
end
$function$;
comment on function catalog.put_tools(jsonb, boolean) is
'Stores tool definitions of known origins. Arguments: JSON array; whether a person hands them over, which approves them. Returns for each, in order: name, callable name, outcome (added, changed, unchanged, rejected) and why it was rejected or is withheld.';
