-- api.keep_snapshots: sets how many regular snapshots are kept.
-- Definer because only functions may write settings; executable by administrators.
-- Raises: QM422 argument_invalid.  Writes: core.setting.
create or replace function api.keep_snapshots(count integer)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if keep_snapshots.count is null or keep_snapshots.count not between 1 and 1000 then
        perform core.fail('argument_invalid', format('the number of snapshots must be between 1 and 1000, got %s', keep_snapshots.count), null, 'Give a number from 1 to 1000.');
    end if;
    update core.setting as s set value = to_jsonb(keep_snapshots.count) where s.name = 'snapshots.keep';
    return keep_snapshots.count;
end
$function$;
comment on function api.keep_snapshots(integer) is
'Argument: how many regular snapshots the job snapshot keeps from its next run on. Returns that number.';
grant execute on function api.keep_snapshots to qm_admin;
