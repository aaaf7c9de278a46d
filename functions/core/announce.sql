-- Announces: the given channel.
create or replace function core.announce()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform pg_notify(tg_argv[0], '');
    return null;
end
$function$;
comment on function core.announce() is
'Trigger that notifies the service processes when a table has changed. It runs after each statement. Trigger argument: '
'name of the notification channel.';
