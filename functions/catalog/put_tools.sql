-- catalog.put_tools: stores a batch of tool definitions; each becomes a row, a version when it is new or changed, and a card when it is live.
-- catalog.judge_tools says what cannot be stored, which is rejected with its reason and does not stop the others, and what waits.
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
    v_definitions jsonb[];
begin
    if jsonb_typeof(p_tools) is distinct from 'array' then
        perform core.fail('tools_invalid', 'the batch of tools is not a JSON array');
    end if;

    with judged as materialized (
        select * from catalog.judge_tools(p_tools, p_by_hand)
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
            deprecated_at = null,
            (status, status_reason, status_at, approved_version) = (
                select
                    case when k.is_kept then t.status else excluded.status end,
                    case when k.is_kept then t.status_reason else excluded.status_reason end,
                    case when k.is_kept then t.status_at else excluded.status_at end,
                    case when k.is_kept or excluded.status <> 'approved' then t.approved_version else t.version + 1 end
                -- Of the row as it is locked now: an operator may have decided since the batch was read.
                from (select t.content_hash = excluded.content_hash or t.status in ('quarantined', 'deprecated')) as k (is_kept)
            )
        returning t.id, t.origin_id, t.name, t.callable_name, t.content_hash
    ),

    stored as (
        -- The statement reads catalog.tool as it was before: what is missing there was added.
        select
            j.position,
            j.name,
            j.definition,
            j.reason,
            w.id,
            w.callable_name,
            case
                when w.id is null then 'rejected'
                when b.id is null then 'added'
                when b.content_hash <> w.content_hash or b.deprecated_at is not null then 'changed'
                else 'unchanged'
            end as outcome
        from judged as j
        left join written as w on j.reason is null and w.origin_id = j.origin_id and w.name = j.name
        left join catalog.tool as b on b.id = w.id
    )

    select
        jsonb_agg(
            jsonb_build_object('id', s.id, 'name', s.name, 'callable_name', s.callable_name, 'outcome', s.outcome, 'reason', s.reason) order by s.position
        ),
        array_agg(s.id) filter (where s.outcome in ('added', 'changed')),
        array_agg(s.definition) filter (where s.outcome in ('added', 'changed'))
    into v_stored, v_fresh, v_definitions
    from stored as s;

    if v_fresh is not null then
        perform catalog.keep_versions(v_fresh, v_definitions);
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
