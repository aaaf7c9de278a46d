-- catalog.begin_anew: the next use starts the program anew, or begins a new session; calls in flight end on the old
-- connection.
-- Services compare revisions, so the notification is only a hint.
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
'Makes every service start the program of an origin anew, or begin a new session with it. Argument p_origin_id: id of '
'the origin. Announces the origin on channel qm_origins.';
