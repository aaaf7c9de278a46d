-- service.replay_calls: each call is stored once, even if it is sent several times.
-- A call that has begun but not ended is pending, like any other call. The end of a call is stored unless it is already
-- known. A record of the end that also describes the start counts as both.
-- Writes: calls.call.
create or replace function service.replay_calls(records jsonb)
returns table (begun integer, ended integer)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
begin
    if exists (
        select
        from jsonb_to_recordset(replay_calls.records) as b (
            event text, principal_id bigint, kind text, ref bigint, origin_id bigint
        )
        where (b.event = 'begin' or b.ref is not null)
            and not (
                exists (select from policy.principal as p where p.id = b.principal_id)
                and (b.ref is null or exists (select from catalog.item as i where i.id = b.ref and i.kind = b.kind))
                and (b.origin_id is null or exists (select from catalog.origin as o where o.id = b.origin_id))
            )
    ) then
        perform core.fail('record_invalid', 'a record names a principal, a card or an origin that does not exist');
    end if;

    insert into calls.call (
        key, replayed_at, started_at, principal_id, instance_id, request_id, receipt_id, method, kind, origin_id,
        target, ref, version, argument_bytes
    )
    select
        b.key, core.now(), coalesce(b.started_at, b.at), b.principal_id, b.instance_id, b.request_id,
        -- A receipt that belongs to another principal is not an error, but the call is not linked to that receipt.
        (select r.id from selection.receipt as r where r.id = b.receipt_id and r.principal_id = b.principal_id),
        coalesce(b.method, 'tools/call'), b.kind,
        coalesce((select i.origin_id from catalog.item as i where i.id = b.ref), b.origin_id),
        b.target, b.ref, b.version, b.argument_bytes
    from jsonb_to_recordset(replay_calls.records) as b (
        event text, key uuid, at timestamptz, started_at timestamptz, principal_id bigint, instance_id uuid,
        request_id text, receipt_id bigint, ref bigint, version integer, argument_bytes integer, method text, kind text,
        origin_id bigint, target text
    )
    where b.event = 'begin' or b.ref is not null
    on conflict (key, started_at) do nothing;
    get diagnostics begun = row_count;

    update calls.call as c
    set
        replayed_at = core.now(),
        outcome = e.outcome,
        ended_at = e.at,
        duration_ms = e.duration_ms,
        result_bytes = e.result_bytes,
        failure = left(e.failure, 2000),
        attempts = coalesce(e.attempts, 1),
        findings = e.findings
    from jsonb_to_recordset(replay_calls.records) as e (
        event text, key uuid, call_id bigint, started_at timestamptz, at timestamptz, principal_id bigint, outcome text,
        duration_ms real, result_bytes bigint, failure text, attempts integer, findings jsonb
    )
    where e.event = 'end'
        and (c.key = e.key or c.id = e.call_id)
        -- Because the start time is given, PostgreSQL searches only the partition of one day.
        and (e.started_at is null or c.started_at = e.started_at)
        and c.principal_id = e.principal_id
        and c.outcome in ('pending', 'lost');
    get diagnostics ended = row_count;
    return next;
end
$function$;
comment on function service.replay_calls(jsonb) is
'Stores calls that a process recorded while the database was unavailable. Argument records: JSON array of records, in '
'the order in which they were written. A record with event ''begin'' has the members key, at (start time), '
'principal_id, instance_id, request_id, receipt_id, kind, ref (id of the tool), version and argument_bytes. For a '
'read, origin_id and target replace ref and version. A record with event ''end'' has the members key, at (end time), '
'principal_id, outcome, duration_ms, result_bytes, failure, attempts and findings. If the database recorded the start '
'of the call, call_id and started_at replace key. A record with event ''end'' also has the members of the record with '
'event ''begin'' if that record may be missing. Returns how many calls were added and how many were ended. Raises '
'QM422 record_invalid; 22P02 and 23514 for malformed values.';
grant execute on function service.replay_calls to qm_service;
