create or replace function api.view_digests(of_origin text default null)
returns table (kind text, digest text)
language sql
stable parallel safe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
    -- Visible origins come first, and then the name: the pages that are read do not depend on what is hidden.
    with visible_origin as materialized (
        select o.id, o.name from catalog.origin as o where o.status <> 'removed'
    )

    select
        k.name,
        (
            select encode(sha256(string_agg(i.content_hash, '' order by i.id)), 'hex')
            from catalog.item as i
            inner join visible_origin as o on o.id = i.origin_id
            where i.kind = k.name and i.is_live and (view_digests.of_origin is null or o.name = view_digests.of_origin)
        )
    from search.kind as k
    order by k.name;
$function$;
comment on function api.view_digests(text) is
'Computes digests by which the service can tell whether a list of items has changed. Argument of_origin: name of an '
'origin (null: all origins). Returns for each kind of card a digest of the items that the caller may see (null: the '
'caller may see no items of this kind). Can be null: digest.';
alter function api.view_digests owner to qm_reader;
grant execute on function api.view_digests to qm_user;
