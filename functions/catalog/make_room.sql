-- catalog.make_room: some items of the user's origin wait for approval only because they repeat an item of a starter.
-- After the starter is removed, these items are approved.
-- Writes: catalog.origin, catalog.item, catalog.item_version, catalog.refresh, cards.
create or replace function catalog.make_room(p_starter_ids bigint[], p_origin_id bigint)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_waited bigint[];
begin
    if p_starter_ids = '{}' then
        return 0;
    end if;
    select array_agg(i.id order by i.id)
    into v_waited
    from catalog.item as i
    inner join catalog.item as x on x.origin_id = any(p_starter_ids) and x.kind = i.kind and x.name = i.name
    inner join catalog.origin as s on s.id = x.origin_id
    where i.origin_id = p_origin_id
        and i.status = 'pending'
        and i.status_reason = format('it repeats %s of %s', x.public_name, s.name);
    perform catalog.remove_origin(s.id) from unnest(p_starter_ids) as s (id);
    update catalog.origin as o set replaced_by = p_origin_id where o.id = any(p_starter_ids);
    if v_waited is not null then
        perform catalog.decide_items(v_waited, 'approved', '', null);
    end if;
    return coalesce(cardinality(v_waited), 0);
end
$function$;
comment on function catalog.make_room(bigint[], bigint) is
'Removes starters after the user has added an origin with the same server. (A starter is a server that the service '
'adds by itself.) Arguments: p_starter_ids: ids of the starters; p_origin_id: id of the user''s origin. Returns how '
'many items of the user''s origin were approved.';
