-- api.view_digests: returns digests of what the caller may see, so that a service can tell whether a list has changed.
-- Equal digests mean equal lists.
create or replace function api.view_digests(of_origin text default null, out tools text, out resources text, out prompts text)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with digest as (
        select i.kind, encode(sha256(string_agg(i.content_hash, '' order by i.id)), 'hex') as value
        from catalog.item as i
        inner join catalog.origin as o on o.id = i.origin_id
        where i.is_live and o.status <> 'removed' and (view_digests.of_origin is null or o.name = view_digests.of_origin)
        group by i.kind
    )

    select
        (select d.value from digest as d where d.kind = 'tool'),
        (select string_agg(d.value, ' ' order by d.kind) from digest as d where d.kind in ('resource', 'resource_template')),
        (select d.value from digest as d where d.kind = 'prompt');
$function$;
comment on function api.view_digests(text) is
'Argument: an origin; null for all. Returns one digest each of the visible tools, of the resources with their '
'templates, and of the prompts; null for an empty list.';
grant execute on function api.view_digests to qm_user;
