-- policy.lock_rights: functions that write cards share the lock, and a change to the rules takes the lock exclusively.
-- A card therefore cannot miss a rule that is created while the card is being written. The lock is a table lock,
-- because every login could take and keep an advisory lock.
create or replace function policy.lock_rights(p_alone boolean)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_alone then
        lock table policy.subject_rights in share row exclusive mode;
    else
        lock table policy.subject_rights in row exclusive mode;
    end if;
end
$function$;
comment on function policy.lock_rights(boolean) is
'Locks the rules until the transaction ends. The rights classes of cards therefore always agree with the rules. '
'Argument p_alone: true for an exclusive lock, before a change to the rules; false for a shared lock, before the '
'assignment of rights classes.';
