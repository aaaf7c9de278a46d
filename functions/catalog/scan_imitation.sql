-- catalog.scan_imitation: only kinds that agents call by name are checked. Forks and mirrors with clearly different
-- names are common, so they do not count as imitations.
create or replace function catalog.scan_imitation(p_item_ids bigint[])
returns table (item_id bigint, version integer, rule text, evidence text)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    -- The subquery is materialized, so that PostgreSQL compares two names in full only if they look alike.
    with pair as materialized (
        select t.id, t.version, t.name, t.origin_id, x.name as other, x.origin_id as other_origin_id
        from unnest(p_item_ids) as g (id)
        inner join catalog.item as t on t.id = g.id
        inner join search.kind as k on k.name = t.kind and k.has_outcomes
        inner join catalog.item as x on x.skeleton = t.skeleton and x.kind = t.kind
        where length(t.name) >= 6 and x.origin_id < t.origin_id and x.is_live
    ),

    named as materialized (
        select
            p.*,
            o.name as origin,
            q.name as other_origin,
            regexp_replace(lower(normalize(o.name, nfkc)), '[^[:alpha:]]+', '', 'g') as letters,
            regexp_replace(lower(normalize(q.name, nfkc)), '[^[:alpha:]]+', '', 'g') as other_letters
        from pair as p
        inner join catalog.origin as o on o.id = p.origin_id
        inner join catalog.origin as q on q.id = p.other_origin_id
    )

    select t.id, t.version, 'claims_foreign_name', format('%s begins with the name of the origin %s', t.name, o.name)
    from catalog.item as t
    inner join search.kind as k on k.name = t.kind and k.has_outcomes
    inner join catalog.origin as o
        on o.slug = split_part(t.name, '__', 1) and o.id <> t.origin_id and o.status <> 'removed'
    where t.id = any(p_item_ids) and strpos(t.name, '__') > 0
    union all
    select
        n.id,
        n.version,
        'look_alike_name',
        format('%s looks like %s of %s', n.name, min(n.other), min(n.other_origin))
    from named as n
    -- Names that differ only in separators or letter case are not imitations, because such differences are common.
    where regexp_replace(lower(n.other), '[^[:alnum:]]+', '', 'g')
        <> regexp_replace(lower(n.name), '[^[:alnum:]]+', '', 'g')
    group by n.id, n.version, n.name
    union all
    select
        n.id,
        n.version,
        'look_alike_origin',
        format('%s of %s, similar to %s of %s', n.name, n.origin, min(n.other), min(n.other_origin))
    from named as n
    -- A name counts as an imitation if it is similar to the other name and exactly one letter longer or shorter. Names
    -- that differ by a replaced letter, such as mysql and mssql, usually belong to related products.
    where length(n.other_letters) >= 5
        and abs(length(n.letters) - length(n.other_letters)) = 1
        and ext.similarity(n.letters, n.other_letters) >= 0.6
    group by n.id, n.version, n.name, n.origin;
$function$;
comment on function catalog.scan_imitation(bigint[]) is
'Finds items whose names can be mistaken for names of items from an older origin. Argument p_item_ids: ids of the '
'items. Returns for each such item: its id, its version, the name of the scan rule, and a text with both names and '
'both origins.';
