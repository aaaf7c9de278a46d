-- catalog.scan_imitation: tools that can be taken for those of another origin that was there before, by name.
-- Forks and mirrors that bear their own name are no imitation: the catalog is full of them.
create or replace function catalog.scan_imitation(p_tool_ids bigint[])
returns table (tool_id bigint, version integer, rule text, evidence text)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select t.id, t.version, 'claims_foreign_name', format('%s begins with the origin %s', t.name, o.name)
    from catalog.tool as t
    inner join catalog.origin as o on o.slug = split_part(t.name, '__', 1) and o.id <> t.origin_id and o.status <> 'removed'
    where t.id = any(p_tool_ids) and t.name like '%\_\_%'
    union all
    select t.id, t.version, 'look_alike_name', format('%s looks like %s of %s', t.name, min(x.name), min(o.name))
    from catalog.tool as t
    inner join catalog.tool as x
        on x.skeleton = t.skeleton and x.origin_id <> t.origin_id and x.is_live and x.id < t.id
    inner join catalog.origin as o on o.id = x.origin_id
    -- Another way to separate or capitalise words is a habit, not a disguise.
    where t.id = any(p_tool_ids)
        and length(t.name) >= 6
        and regexp_replace(lower(x.name), '[_. -]+', '', 'g') <> regexp_replace(lower(t.name), '[_. -]+', '', 'g')
    group by t.id, t.version, t.name
    union all
    select t.id, t.version, 'look_alike_origin', format('%s of %s, beside %s of %s', t.name, o.name, min(x.name), min(p.name))
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    inner join catalog.tool as x
        on x.skeleton = t.skeleton and x.origin_id < t.origin_id and x.is_live
    inner join catalog.origin as p on p.id = x.origin_id
    cross join lateral (
        select
            regexp_replace(lower(normalize(o.name, nfkc)), '[^[:alpha:]]+', '', 'g') as later,
            regexp_replace(lower(normalize(p.name, nfkc)), '[^[:alpha:]]+', '', 'g') as earlier
    ) as s
    where t.id = any(p_tool_ids)
        and length(s.earlier) >= 5
        and abs(length(s.later) - length(s.earlier)) <= 1
        and s.later <> s.earlier
        and ext.similarity(s.later, s.earlier) >= 0.6
    group by t.id, t.version, t.name, o.name;
$function$;
comment on function catalog.scan_imitation(bigint[]) is 'Arguments: tools. Returns tool, version, rule of catalog.scan_rule and what was taken for what.';
