-- policy.lock_rights: keeps the rules and the rights classes of cards in step until the transaction ends.
-- Functions that write cards share the lock; a change to the rules takes it exclusively. No card therefore misses a
-- rule that is created in the meantime.
-- It is a lock on a table and not an advisory lock, which every login could take and keep.
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
'Argument p_alone: true to change rules, false to assign classes. The lock is held until the transaction ends.';
