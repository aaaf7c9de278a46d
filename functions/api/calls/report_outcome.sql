-- api.report_outcome: the function writes a row of the call log. Statistics, utility and learning treat this row like
-- any other call.
-- Writes: calls.call.
create or replace function api.report_outcome(
    receipt bigint, kind text, name text, outcome text default 'ok', duration_ms real default null
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_now constant timestamptz := core.now();
    v_ref bigint;
begin
    perform search.require_kinds(array[report_outcome.kind]);
    if not exists (select from search.kind as k where k.name = report_outcome.kind and k.outcomes = 'reported') then
        perform core.fail(
            'argument_invalid',
            format('cards of the kind %L do not accept reports', report_outcome.kind),
            null,
            (
                select format(
                    'Kinds of cards that accept reports: %s.',
                    coalesce(string_agg(k.name, ', ' order by k.name), 'none')
                )
                from search.kind as k
                where k.outcomes = 'reported' and k.audience_id is null
            )
        );
    end if;
    if report_outcome.outcome is null
        or report_outcome.outcome not in ('ok', 'failed')
        or report_outcome.duration_ms < 0
    then
        perform core.fail(
            'argument_invalid',
            format(
                'outcome must be "ok" or "failed", and duration_ms must be at least 0; got %s and %s',
                report_outcome.outcome,
                report_outcome.duration_ms
            ),
            null,
            'Use "ok" if the card was useful, and "failed" if it was not.'
        );
    end if;
    select c.ref
    into v_ref
    from search.card as c
    where c.kind = report_outcome.kind
        and c.name = report_outcome.name
        and policy.is_visible(c.rights_class, (select policy.visible_classes()))
    order by c.id
    limit 1;
    if v_ref is null then
        perform search.refuse_name(report_outcome.kind, report_outcome.name);
    end if;
    perform from selection.receipt as r
    where r.id = report_outcome.receipt
        and r.principal_id = v_principal_id
        and r.kind = report_outcome.kind
        and r.offered @> jsonb_build_array(jsonb_build_object('ref', v_ref))
    for update;
    if not found then
        perform core.fail(
            'receipt_not_found',
            format(
                'you have no receipt (record of a search) with the number %s that contains %L',
                report_outcome.receipt,
                left(report_outcome.name, 200)
            )
        );
    end if;

    update calls.call as c
    set outcome = report_outcome.outcome, ended_at = v_now, duration_ms = coalesce(report_outcome.duration_ms, 0)
    where c.receipt_id = report_outcome.receipt
        and c.method = 'outcome'
        and c.kind = report_outcome.kind
        and c.ref = v_ref;
    if not found then
        insert into calls.call (
            started_at, principal_id, instance_id, request_id, receipt_id, method, kind, ref, argument_bytes, toolset,
            outcome, ended_at, duration_ms, result_bytes
        )
        values (
            v_now,
            v_principal_id,
            '00000000-0000-0000-0000-000000000000',
            '',
            report_outcome.receipt,
            'outcome',
            report_outcome.kind,
            v_ref,
            0,
            policy.toolset_name(),
            report_outcome.outcome,
            v_now,
            coalesce(report_outcome.duration_ms, 0),
            0
        );
    end if;
end
$function$;
comment on function api.report_outcome(bigint, text, text, text, real) is
'Records whether a card that a search returned was useful. Callers use this function for cards that they use without '
'the service, because the service cannot see whether these cards helped. Arguments: receipt: number of the receipt '
'(record) of the search that returned the card; kind: kind of the card (only kinds for which callers report outcomes); '
'name: name of the card; outcome: ok (the card was useful) or failed (the card was not useful); duration_ms: how long '
'the card was used, in milliseconds. For each receipt and card, only the last report counts. Raises QM404 '
'kind_not_found, receipt_not_found, and the kind''s own error for an unknown name; QM422 argument_invalid.';
grant execute on function api.report_outcome to qm_user;
