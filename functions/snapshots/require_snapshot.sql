create or replace function snapshots.require_snapshot(p_name text)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id constant bigint := (select s.id from snapshots.snapshot as s where s.name = p_name);
begin
    if v_id is null then
        perform core.fail('snapshot_not_found', format('there is no snapshot called %L', left(p_name, 200)));
    end if;
    return v_id;
end
$function$;
comment on function snapshots.require_snapshot(text) is
'Finds a snapshot. Argument p_name: name of the snapshot. Returns the id of the snapshot. Raises QM404 '
'snapshot_not_found if there is no such snapshot.';
