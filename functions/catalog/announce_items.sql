-- Announces: qm_catalog.
create or replace function catalog.announce_items(p_item_ids bigint[])
returns integer
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select count(pg_notify('qm_catalog', o.origin_id::text))::integer
    from (select distinct i.origin_id from catalog.item as i where i.id = any(p_item_ids)) as o;
$function$;
comment on function catalog.announce_items(bigint[]) is
'Informs processes and clients that the origins of the given items have changed. Argument p_item_ids: ids of the '
'items. Sends one message for each of these origins on channel qm_catalog. Returns the number of messages.';
