-- policy.lock_rights: keeps the rules and the rights classes of cards in step until the transaction ends.
-- Writers of cards share the lock; a change of the rules takes it alone. So no card misses a rule that is created
-- meanwhile.
create or replace function policy.lock_rights(p_alone boolean)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case when p_alone then pg_advisory_xact_lock(7141884) else pg_advisory_xact_lock_shared(7141884) end;
$function$;
comment on function policy.lock_rights(boolean) is
'Argument: true to change rules, false to assign classes. Held until the transaction ends.';
