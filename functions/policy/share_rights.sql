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
comment on function policy.share_rights() is
'Trigger that locks the rules before a statement writes its first row. Two writers therefore never block each other '
'(deadlock). It runs before each statement that writes data on which rules depend.';
