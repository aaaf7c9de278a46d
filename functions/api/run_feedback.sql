-- api.run_feedback: what happened is learned from: receipts joined to calls, utility of tools renewed. Only the leading process does it.
-- Definer because receipts and calls of all principals are read; executable by operators.
-- Writes: selection.outcome, selection.judgement, selection.receipt, selection.utility, selection.pool.
create or replace function api.run_feedback(instance uuid default null)
returns table (learned integer, tools integer)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if run_feedback.instance <> core.leading_instance() then
        learned := 0;
        tools := 0;
    else
        learned := selection.learn();
        tools := selection.refresh_utility();
        delete from selection.pool as p where p.expires_at <= core.now();
    end if;
    return next;
end
$function$;
comment on function api.run_feedback(uuid) is
'Argument: id of the asking process, or null for one that is no service. Returns how many receipts were learned from (call again while it is not 0) and how many tools have been called.';
