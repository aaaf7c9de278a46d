-- selection.forget: a kind of card can name a setting of its own that says how long its receipts are kept
-- (search.kind.keep_setting). Calls and receipts are counted before they are deleted (stats.count_calls,
-- selection.count_selections). The counts, and all values that were learned from calls and receipts, are kept. All
-- calls of a day are deleted together (calls.forget_calls). At most 50,000 receipts are deleted in one run, so that no
-- transaction lasts long; the next run deletes more.
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
