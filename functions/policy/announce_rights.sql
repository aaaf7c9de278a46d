-- policy.announce_rights: trigger that tells the services to copy the rights again.
-- Announces: qm_rights.
create or replace function policy.announce_rights()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform pg_notify('qm_rights', '');
    return null;
end
$function$;
comment on function policy.announce_rights() is 'Trigger, after each statement.';
