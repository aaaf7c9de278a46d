-- policy.lock_rights: keeps the rules and the rights classes of cards in step until the transaction ends.
-- Functions that write cards share the lock; a change to the rules takes it exclusively. No card therefore misses a
-- rule that is created in the meantime.
create or replace function policy.lock_rights(p_alone boolean)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case when p_alone then pg_advisory_xact_lock(7141884) else pg_advisory_xact_lock_shared(7141884) end;
$function$;
comment on function policy.lock_rights(boolean) is
'Argument p_alone: true to change rules, false to assign classes. The lock is held until the transaction ends.';
