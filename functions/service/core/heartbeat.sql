-- service.heartbeat: the first heartbeat of a process also creates today's partition of the call log.
-- Writes: core.instance, catalog.refresh, calls.call and its partitions.
create or replace function service.heartbeat(
    instance uuid, kind text, version text, pid integer, is_first boolean default false, installing integer default null
)
returns table (requeued_refreshes integer, lost_calls integer)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_timeout constant interval := (core.get_setting('instance.timeout') #>> '{}')::interval;
begin
    perform policy.require_principal();
    insert into core.instance as i (id, kind, version, pid, started_at, seen_at, installing)
    values (
        heartbeat.instance,
        heartbeat.kind,
        heartbeat.version,
        heartbeat.pid,
        v_now,
        v_now,
        coalesce(heartbeat.installing, 0)
    )
    on conflict (id) do update
    set
        kind = excluded.kind,
        version = excluded.version,
        pid = excluded.pid,
        seen_at = excluded.seen_at,
        installing = coalesce(heartbeat.installing, i.installing),
        started_at = case when heartbeat.is_first then excluded.started_at else i.started_at end;

    if heartbeat.is_first then
        perform calls.add_partition((v_now at time zone 'UTC')::date);
    end if;
    -- A heartbeat in the future is from before the clock was set back. A living process beats again.
    delete from core.instance as i
    where i.seen_at not between v_now - v_timeout and v_now + v_timeout;

    update catalog.refresh as r
    set status = 'requested', started_at = null, instance_id = null
    where r.status = 'running'
        and (
            (heartbeat.is_first and r.instance_id = heartbeat.instance)
            or not exists (select from core.instance as i where i.id = r.instance_id)
        );
    get diagnostics requeued_refreshes = row_count;

    lost_calls := calls.lose_calls(case when heartbeat.is_first then heartbeat.instance end);
    return next;
end
$function$;
comment on function service.heartbeat(uuid, text, text, integer, boolean, integer) is
'Records that a process is alive. Arguments: instance: id of the process; kind: kind of process (up or stdio); '
'version: version of the service; pid: operating-system process id; is_first: true if the process has just started '
'(then the function also recovers work that an earlier process with the same id left unfinished); installing: how many '
'servers the process is installing (null: the previous number stays). Processes that have died leave work unfinished: '
'the function requests their refreshes again, and marks their pending calls as lost. Returns the number of these '
'refreshes and the number of these calls.';
grant execute on function service.heartbeat to qm_operator;
