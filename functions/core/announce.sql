-- core.announce: trigger that tells the services that a table has changed.
-- Announces: the channel given.
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
comment on function core.announce() is 'Trigger, after each statement. Argument: the channel.';
