-- Writes: calls.call.
create or replace function calls.lose_calls(p_restarted uuid default null)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_count integer;
begin
    update calls.call as c
    set outcome = 'lost', ended_at = core.now(), failure = 'the process that made the call died'
    where c.outcome = 'pending'
        and (
            c.instance_id = p_restarted
            or not exists (select from core.instance as i where i.id = c.instance_id)
        );
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function calls.lose_calls(uuid) is
'Marks pending calls from dead processes as lost, because the outcome of these calls is unknown. Argument p_restarted: '
'id of a process that has just restarted under the same id; the function then also marks calls that this process began '
'before the restart (null: no process has restarted). Returns how many calls were marked as lost.';
