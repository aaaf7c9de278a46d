-- policy.lock_rights: locks the rules until the transaction ends, so that the rights classes of cards always match the
-- rules.
-- Functions that write cards share the lock, and a change to the rules takes the lock exclusively. A card therefore
-- cannot miss a rule that is created while the card is being written.
create or replace function policy.lock_rights(p_alone boolean)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case when p_alone then pg_advisory_xact_lock(7141884) else pg_advisory_xact_lock_shared(7141884) end;
$function$;
comment on function policy.lock_rights(boolean) is
'Locks the rules until the transaction ends, so that the rights classes of cards always match the rules. Argument '
'p_alone: true for an exclusive lock, to change rules; false for a shared lock, to assign rights classes. The lock is '
'held until the transaction ends.';
