-- service.call_begin: commit the row before you send the request; service.call_end completes the row later. For a call
-- that may be repeated, the commit does not wait for the disk. The row names the rule that allowed the call.
-- A denial is not raised as an error, because an error would roll back the log entry of the denial (policy.decision).
-- To the caller, a denied tool looks like a tool that does not exist.
-- Writes: calls.call, calls.answer, calls.breaker, policy.decision.
create or replace function service.call_begin(
    name text,
    argument_bytes integer,
    request_id text,
    instance uuid,
    receipt bigint default null,
    key uuid default null,
    started_at timestamptz default null,
    arguments_hash bytea default null,
    idempotency_key text default null,
    continues boolean default false,
    as_is boolean default false,
    kind text default null
)
returns table (
    call_id bigint,
    origin_id bigint,
    origin text,
    ref bigint,
    tool text,
    version integer,
    content_hash text,
    catalog_version bigint,
    input_schema jsonb,
    repair jsonb,
    terms jsonb,
    answer text,
    answered_by text,
    answered_at timestamptz,
    unavailable_until timestamptz,
    unavailable_because text,
    is_trial boolean
)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_service();
    v_started_at constant timestamptz := coalesce(call_begin.started_at, core.now());
    v_kind constant text := coalesce(call_begin.kind, search.default_kind());
    v_toolset constant text := policy.toolset_name();
    v_tool record;
    v_verdict policy.verdict;
begin
    select
        i.id,
        i.origin_id,
        i.public_name,
        i.name,
        i.version,
        i.content_hash,
        i.definition -> 'input_schema' as input_schema,
        i.definition -> 'repair' as repair,
        i.rights_class,
        o.name as origin,
        o.transport,
        exists (
            select from calls.breaker as b
            where b.origin_id = i.origin_id
                and b.state <> 'closed'
                and (b.principal_id is null or b.principal_id = v_principal_id)
        ) as is_broken,
        (select v.value from core.version as v where v.name = 'cards') as catalog_version
    into v_tool
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    where i.kind = v_kind
        and i.public_name = call_begin.name
        and i.is_live;
    if v_tool.id is not null then
        v_verdict := policy.decide(v_principal_id, v_toolset, v_tool.rights_class);
        if v_verdict.is_allowed is not true then
            perform policy.log_decision(
                v_principal_id, v_toolset, 'call', v_kind, v_tool.id, v_tool.public_name, v_verdict
            );
        end if;
    end if;
    if v_verdict.is_allowed is not true then
        perform catalog.refuse_withheld(v_kind, call_begin.name);
        return next;
        return;
    end if;
    if v_tool.transport = 'none' then
        perform core.fail(
            'origin_not_callable', format('the origin %L is in the catalog, but not connected', v_tool.origin)
        );
    end if;

    insert into calls.call (
        key, started_at, principal_id, instance_id, request_id, receipt_id, kind, ref, version, origin_id,
        argument_bytes, toolset, rule_version_id, rule
    )
    select
        call_begin.key,
        v_started_at,
        v_principal_id,
        call_begin.instance,
        call_begin.request_id,
        -- A receipt that belongs to another principal is not an error, but the call is not linked to that receipt.
        (select r.id from selection.receipt as r where r.id = call_begin.receipt and r.principal_id = v_principal_id),
        v_kind,
        v_tool.id,
        v_tool.version,
        v_tool.origin_id,
        call_begin.argument_bytes,
        v_toolset,
        v_verdict.version_id,
        v_verdict.rule
    returning id into call_id;

    terms := catalog.call_terms(v_tool.id)
        || jsonb_build_object('guardrails', policy.guardrails_of(v_principal_id, v_toolset, v_tool.origin));
    if not call_begin.as_is
        and (call_begin.idempotency_key is not null or terms ->> 'cache_s' is not null and not call_begin.continues)
    then
        select k.answer, k.answered_by, k.answered_at
        into answer, answered_by, answered_at
        from calls.answer_call(
            call_id,
            v_started_at,
            v_principal_id,
            v_tool.id,
            v_tool.version,
            call_begin.arguments_hash,
            call_begin.idempotency_key,
            call_begin.continues,
            terms
        ) as k;
    end if;

    is_trial := false;
    if answer is null and v_tool.is_broken then
        select g.unavailable_until, g.unavailable_because
        into unavailable_until, unavailable_because
        from calls.pass_breaker(v_tool.origin_id, call_id, v_principal_id) as g;
        is_trial := unavailable_until is null;
    end if;

    if (terms ->> 'may_repeat')::boolean
        and terms ->> 'cache_s' is null
        and call_begin.idempotency_key is null
        and call_begin.key is not null
        and not v_tool.is_broken
    then
        -- This row may be lost if the database server crashes. That does no harm, because the call can be repeated and
        -- service.end_calls writes the row again.
        perform set_config('synchronous_commit', 'off', true);
    end if;

    origin_id := v_tool.origin_id;
    origin := v_tool.origin;
    ref := v_tool.id;
    tool := v_tool.name;
    version := v_tool.version;
    content_hash := encode(v_tool.content_hash, 'hex');
    catalog_version := v_tool.catalog_version;
    input_schema := v_tool.input_schema;
    repair := v_tool.repair - 'listed';
    return next;
end
$function$;
comment on function service.call_begin is
'Records the start of a call, and checks whether the caller may make this call. Arguments: name: callable name of the '
'tool; argument_bytes: size of the arguments in bytes; request_id: id of the request; instance: id of the process that '
'makes the call; receipt: number of the receipt (record) of the search that found the tool; key: key of the record '
'that the process keeps in case the database becomes unavailable during the call; started_at: start time of the call; '
'arguments_hash: SHA-256 of the arguments; idempotency_key: idempotency key of the client; continues: true if the call '
'answers a question that the tool asked in an earlier result (input_required); as_is: true to ignore stored answers; '
'kind: kind of card (null: the default kind). Returns: the id of the call; the origin; the id of the tool, the name of '
'the tool at the origin, and the version of the tool; the version of the catalog; the schema for the arguments; how a '
'repair changes the arguments (catalog.repair_definition); the terms of the tool (catalog.call_terms) with the '
'guardrails for this caller (policy.guardrails_of); a stored answer, with the source of the answer and the time at '
'which it was stored; the time until which an open circuit breaker blocks the call, and the reason (both null: no '
'breaker is open); and whether this call tests an origin that failed before. Returns a row of nulls if the caller may '
'not use a tool of this name. Raises QM409 origin_not_callable, tool_withheld, call_in_progress, call_outcome_unknown, '
'QM422 idempotency_key_reused. Can be null: call_id, origin_id, origin, ref, tool, version, content_hash, '
'catalog_version, repair, answer, answered_by, answered_at, unavailable_until, unavailable_because, is_trial.';
grant execute on function service.call_begin to qm_service, qm_user;
