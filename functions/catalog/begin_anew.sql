-- catalog.begin_anew: calls in progress keep the old connection until they end. Services compare revisions, so they
-- notice the change even if they miss the notification.
-- Writes: catalog.origin.
create or replace function catalog.begin_anew(p_origin_id bigint)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    update catalog.origin as o set revision = o.revision + 1 where o.id = begin_anew.p_origin_id;
    select pg_notify('qm_origins', begin_anew.p_origin_id::text);
$function$;
comment on function catalog.begin_anew(bigint) is
'Makes every service start the program of an origin again, or begin a new session with the origin''s server. Argument '
'p_origin_id: id of the origin. Announces the origin on channel qm_origins.';
