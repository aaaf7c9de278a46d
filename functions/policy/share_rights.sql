-- policy.share_rights: trigger that locks the rules before a statement touches rows, so that two writers cannot wait
-- for each other.
create or replace function policy.share_rights()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.lock_rights(false);
    return null;
end
$function$;
comment on function policy.share_rights() is 'Trigger, before each statement that writes what rules depend on.';
