-- api.rate_decisions: each rating is stored as a reported outcome of the decision. It changes the rank of the decision,
-- but only within its tier (one of the groups in which agents get decisions, see decisions.serve). Writes: calls.call.
create or replace function api.rate_decisions(receipt bigint, ratings jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_offered constant jsonb := (
        select r.offered
        from selection.receipt as r
        where r.id = rate_decisions.receipt and r.principal_id = v_principal_id and r.kind = 'decision'
    );
    v_count integer;
begin
    if jsonb_typeof(rate_decisions.ratings) is distinct from 'object'
        or exists (
            select from jsonb_each_text(rate_decisions.ratings) as g
            where g.key !~ '^[1-8]$' or g.value !~ '^([1-9]|10)$'
        )
    then
        perform core.fail(
            'argument_invalid',
            'ratings must be an object {number of a decision: rating}',
            null,
            'Rate from 1 (useless) to 10 (very useful), for example {"1": 9, "2": 3}.'
        );
    end if;
    if v_offered is null then
        perform core.fail(
            'receipt_not_found',
            format(
                'none of your answers from get_decisions_for_context has the receipt number %s', rate_decisions.receipt
            )
        );
    end if;
    perform api.report_outcome(
        rate_decisions.receipt,
        'decision',
        o.offer ->> 'name',
        case when g.value::integer >= 6 then 'ok' else 'failed' end
    )
    from jsonb_each_text(rate_decisions.ratings) as g
    inner join jsonb_array_elements(v_offered) as o (offer) on o.offer ->> 'rank' = g.key;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function api.rate_decisions(bigint, jsonb) is
'Records how useful decisions were to an agent. Arguments: receipt: number of the receipt from decisions_for; ratings: '
'JSON object with one member for each rated decision, for example {"1": 9}. The name of a member is the number that '
'the decision has in the column "index" of the answer from decisions_for. The value of a member is a rating from 1 to '
'10. A rating of 6 or more means that the decision was useful. Returns how many ratings were recorded. Raises QM404 '
'receipt_not_found, card_not_found, QM422 argument_invalid.';
grant execute on function api.rate_decisions to qm_user;
