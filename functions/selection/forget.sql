-- selection.forget: a kind of card can name a setting of its own for its receipts (search.kind.keep_setting).
-- Calls and receipts have been counted by then (stats.count_calls, selection.count_selections); the counts and
-- everything that was learned from them are kept. Calls are deleted by whole days (calls.forget_calls), receipts 50,000
-- at a time, so that no transaction lasts long; the next run continues.
-- Writes: calls.call, calls.probe, selection.receipt, selection.outcome.
create or replace function selection.forget()
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_keep_calls constant interval := (core.get_setting('call.keep') #>> '{}')::interval;
    v_calls bigint := 0;
    v_receipts bigint[] := array[]::bigint[];
begin
    perform stats.count_calls(), selection.count_selections();
    if v_keep_calls > interval '0' then
        v_calls := calls.forget_calls(v_now - v_keep_calls);
    end if;
    v_receipts := array(
        select r.id
        from (
            select k.name, (core.get_setting(k.keep_setting) #>> '{}')::interval as keep from search.kind as k
        ) as k
        inner join selection.receipt as r on r.kind = k.name
        where k.keep > interval '0'
            and r.created_at < v_now - k.keep
            and r.learned_at is not null
            and not exists (select from calls.call as c where c.receipt_id = r.id)
        limit 50000
    );
    delete from selection.outcome as o where o.receipt_id = any(v_receipts);
    delete from selection.receipt as r where r.id = any(v_receipts);
    return jsonb_build_object('calls', v_calls, 'receipts', cardinality(v_receipts));
end
$function$;
comment on function selection.forget() is
'Deletes old calls and old records of searches (receipts). The settings call.keep and receipt.keep say how long calls '
'and receipts are kept. Returns JSON {calls, receipts}: the number of deleted calls and the number of deleted '
'receipts.';
