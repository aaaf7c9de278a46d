-- Writes: core.setting.
create or replace function api.keep_snapshots(count integer)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    perform core.require_between(
        'the number of snapshots', keep_snapshots.count, 1, 1000, 'Give a number from 1 to 1000.'
    );
    update core.setting as s set value = to_jsonb(keep_snapshots.count) where s.name = 'snapshots.keep';
    return keep_snapshots.count;
end
$function$;
comment on function api.keep_snapshots(integer) is
'Sets how many regular snapshots are kept. Regular snapshots are snapshots that the job "snapshot" takes. Argument '
'count: number of regular snapshots to keep, beginning with the next run of the job. Returns this number. Raises QM422 '
'argument_invalid.';
grant execute on function api.keep_snapshots to qm_admin;
