-- policy.lock_rights: cards are classed under rules that stay as they are until the transaction ends.
-- Whoever writes cards shares the lock, whoever changes the rules has it alone: no card slips past a rule that was made meanwhile.
create or replace function policy.lock_rights(p_alone boolean)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case when p_alone then pg_advisory_xact_lock(7141884) else pg_advisory_xact_lock_shared(7141884) end;
$function$;
comment on function policy.lock_rights(boolean) is 'Argument: to change rules (true), or to class cards under them. Held until the transaction ends.';
