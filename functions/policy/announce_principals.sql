-- policy.announce_principals: trigger that tells the services to check again which principals are enabled.
-- Announces: qm_principals.
create or replace function policy.announce_principals()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform pg_notify('qm_principals', '');
    return null;
end
$function$;
comment on function policy.announce_principals() is 'Trigger, after each statement.';
