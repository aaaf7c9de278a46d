-- api.scan_items: each part is a short transaction: call the function again with the last id that it returned, until it
-- returns no row.
-- Writes: catalog.finding, catalog.item, catalog.item_version, cards.
-- Announces: qm_catalog.
create or replace function api.scan_items(
    kinds text[] default null,
    after_id bigint default 0,
    maximum integer default 500,
    names text[] default null,
    duplicates boolean default false
)
returns table (last_id bigint, items integer, findings integer, quarantined text[])
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_item_ids bigint[];
    v_quarantined bigint[];
begin
    perform policy.require_principal();
    select array_agg(s.id), max(s.id)
    into v_item_ids, last_id
    from (
        select i.id
        from catalog.item as i
        where i.id > scan_items.after_id
            and i.deprecated_at is null
            and (scan_items.kinds is null or i.kind = any(scan_items.kinds))
            and (scan_items.names is null or i.public_name = any(scan_items.names))
            and policy.is_visible(i.rights_class, (select policy.visible_classes()))
        order by i.id
        limit greatest(scan_items.maximum, 1)
    ) as s;
    if v_item_ids is null then
        return;
    end if;
    if scan_items.duplicates then
        perform catalog.scan_duplicates(v_item_ids);
    end if;
    select s.findings, s.quarantined into findings, v_quarantined from catalog.scan_items(v_item_ids) as s;
    perform catalog.show_items(v_quarantined);
    perform catalog.announce_items(v_quarantined);
    items := cardinality(v_item_ids);
    quarantined := array(
        select i.public_name from catalog.item as i where i.id = any(v_quarantined) order by i.public_name
    );
    return next;
end
$function$;
comment on function api.scan_items(text[], bigint, integer, text[], boolean) is
'Scans a part of the catalog for definitions that contain attacks, and puts suspicious items into quarantine. '
'Arguments: kinds: kinds of card (null: all kinds); after_id: id after which to start; maximum: maximum number of '
'items to scan; names: scan only items with these public names (null: all items); duplicates: true to compare vectors '
'as well, to find items that nearly repeat an item of another origin. Returns: the id of the last scanned item; the '
'number of scanned items; the number of findings in these items; and the items that were quarantined. Returns no row '
'when no items are left.';
grant execute on function api.scan_items to qm_operator;
