create or replace function api.list_items(
    kind text, of_origin text default null, after text default null, maximum integer default 1000
)
returns table (name text, public_name text, definition jsonb)
language sql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select n.name, i.public_name, i.definition - 'repair'
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    cross join lateral (select case when list_items.of_origin is null then i.public_name else i.name end as name) as n
    where i.kind = list_items.kind
        and i.is_live
        and o.status <> 'removed'
        and (list_items.of_origin is null or o.name = list_items.of_origin)
        and (list_items.after is null or n.name > list_items.after)
    order by n.name
    limit list_items.maximum;
$function$;
comment on function api.list_items(text, text, text, integer) is
'Lists items of one kind that the caller may use, page by page. Arguments: kind: kind of card; of_origin: name of an '
'origin, to list only items of this origin under the origin''s own names (null: list the items of all origins under '
'their public names); after: name of the last item on the previous page; maximum: maximum number of items (null: no '
'limit). Returns for each item the name under which it is listed, its public name and its definition. Can be null: '
'maximum.';
alter function api.list_items owner to qm_reader;
grant execute on function api.list_items to qm_user;
