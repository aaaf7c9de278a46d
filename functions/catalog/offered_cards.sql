-- catalog.offered_cards: a card that the caller may not see now and a card that no longer exists have one answer, a row
-- without a name. Items of servers keep their rows, so a name stays readable when the server no longer offers the item.
-- Without the id of the card (ref), nobody can tell who may see it: lookups store the key of a row instead, so their
-- cards have no names here.
create or replace function catalog.offered_cards(p_receipts bigint[])
returns table (receipt_id bigint, rank integer, name text, origin text, offer jsonb)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        r.id,
        coalesce((o.offer ->> 'rank')::integer, o.position::integer),
        case when k.name is not null then o.offer ->> 'name' end,
        k.origin,
        o.offer
    from selection.receipt as r
    cross join jsonb_array_elements(r.offered) with ordinality as o (offer, position)
    left join lateral (
        select c.name, c.origin
        from search.card as c
        where c.kind = r.kind and c.ref = (o.offer ->> 'ref')::bigint
        union all
        select i.public_name, g.name
        from catalog.item as i
        inner join catalog.origin as g on g.id = i.origin_id
        where i.kind = r.kind and i.id = (o.offer ->> 'ref')::bigint
        limit 1
    ) as k on true
    where r.id = any(p_receipts);
$function$;
comment on function catalog.offered_cards(bigint[]) is
'Lists the cards that searches returned. Argument p_receipts: ids of the receipts (records) of the searches. Returns '
'for each card: the receipt; the rank of the card; its name and its origin (null: the card no longer exists, the '
'caller may not see it now, or the receipt does not contain its id); and what the receipt says about the card, as '
'JSON, which also contains the name.';
grant execute on function catalog.offered_cards to qm_reader;
