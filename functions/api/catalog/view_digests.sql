-- api.view_digests: has anything changed of what you may see? Two equal digests mean equal lists.
create or replace function api.view_digests(of_origin text default null, out tools text, out resources text, out prompts text)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with asset as (
        select a.kind, encode(sha256(string_agg(a.content_hash, '' order by a.id)), 'hex') as digest
        from catalog.asset as a
        inner join catalog.origin as o on o.id = a.origin_id
        where a.is_live and o.status <> 'removed' and (view_digests.of_origin is null or o.name = view_digests.of_origin)
        group by a.kind
    )

    select
        (
            select encode(sha256(string_agg(t.content_hash, '' order by t.id)), 'hex')
            from catalog.tool as t
            inner join catalog.origin as o on o.id = t.origin_id
            where t.is_live and (view_digests.of_origin is null or o.name = view_digests.of_origin)
        ),
        (select string_agg(a.digest, ' ' order by a.kind) from asset as a where a.kind in ('resource', 'resource_template')),
        (select a.digest from asset as a where a.kind = 'prompt');
$function$;
comment on function api.view_digests(text) is 'Argument: an origin; null for all. Returns a digest of the tools, of the resources with their templates, and of the prompts that you may see; null for none.';
grant execute on function api.view_digests to qm_user;
