-- api.list_assets: resources, templates or prompts, a page of them.
create or replace function api.list_assets(kind text, of_origin text default null, after text default null, maximum integer default 1000)
returns table (name text, definition jsonb)
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select n.name, a.definition
    from catalog.asset as a
    inner join catalog.origin as o on o.id = a.origin_id
    cross join lateral (select case when list_assets.of_origin is null then a.public_name else a.name end as name) as n
    where a.kind = list_assets.kind
        and a.is_live
        and o.status <> 'removed'
        and (list_assets.of_origin is null or o.name = list_assets.of_origin)
        and (list_assets.after is null or n.name > list_assets.after)
    order by n.name
    limit list_assets.maximum;
$function$;
comment on function api.list_assets(text, text, text, integer) is
'Arguments: kind (resource, resource_template, prompt); an origin, whose own names are used then; the name after which the page begins; how many at most. Returns name and definition of what you may see.';
grant execute on function api.list_assets to qm_user;
