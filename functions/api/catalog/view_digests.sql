-- api.view_digests: returns digests of the items that the caller may see, so that the service can tell whether a list
-- has changed. Equal digests mean equal lists.
create or replace function api.view_digests(of_origin text default null)
returns table (kind text, digest text)
language sql
stable parallel safe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
    select
        k.name,
        (
            select encode(sha256(string_agg(i.content_hash, '' order by i.id)), 'hex')
            from catalog.item as i
            inner join catalog.origin as o on o.id = i.origin_id
            where i.kind = k.name and i.is_live and o.status <> 'removed' and (view_digests.of_origin is null or o.name = view_digests.of_origin)
        )
    from search.kind as k
    order by k.name;
$function$;
comment on function api.view_digests(text) is
'Returns digests of the items that the caller may see, so that the service can tell whether a list has changed. '
'Argument of_origin: name of an origin, or null for all. Returns each kind with one digest of the items that the '
'caller may see; the digest is null if there are no such items.';
alter function api.view_digests owner to qm_reader;
grant execute on function api.view_digests to qm_user;
