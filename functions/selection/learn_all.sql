-- Writes: selection.outcome, selection.judgement, selection.receipt, selection.utility, selection.pool,
-- stats.call_hour, stats.selection_hour, stats.watermark, calls.pace.
create or replace function selection.learn_all()
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_learned integer;
    v_receipts integer := 0;
begin
    loop
        v_learned := selection.learn();
        v_receipts := v_receipts + v_learned;
        -- The rest is deleted next time, so that no transaction lasts long.
        exit when v_learned = 0 or v_receipts >= 20000;
    end loop;
    delete from selection.pool as p
    where p.key in (select x.key from selection.pool as x where x.expires_at <= core.now() for update skip locked);
    perform stats.count_calls(), selection.count_selections(), stats.renew_pace();
    return jsonb_build_object('receipts', v_receipts, 'tools', selection.refresh_utility());
end
$function$;
comment on function selection.learn_all() is
'Links receipts to calls, counts calls and selections, and updates the values by which cards are ranked (utility). '
'Returns JSON {receipts, tools}: the number of receipts that were linked, and the number of cards that have calls or '
'reported outcomes.';
