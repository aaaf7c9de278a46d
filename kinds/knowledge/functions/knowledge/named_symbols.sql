-- knowledge.named_symbols: public objects come before private ones. Among them, the order is decided by these
-- preferences, one after the other: objects with exactly this path; objects that are not outdated (deprecated, or of an
-- earlier version); functions and classes; the same capitals; short paths.
create or replace function knowledge.named_symbols(
    p_distribution_id bigint, p_name text, p_is_exact boolean default false
)
returns setof bigint
language sql
stable parallel safe security invoker
rows 5
set search_path = pg_catalog, pg_temp
as $function$
    with named as materialized (
        select e.id, e.path
        from (
            select s.id, s.path, s.distribution_id, s.name
            from knowledge.symbol as s
            union all
            select p.symbol_id, p.path, p.distribution_id, p.name
            from knowledge.symbol_path as p
        ) as e
        where e.distribution_id = p_distribution_id
            and e.name = lower(split_part(p_name, '.', -1) collate core.c_utf8)
            and lower(right('.' || e.path, length(p_name) + 1)) = '.' || lower(p_name collate core.c_utf8)
            and (not p_is_exact or right(e.path, length(p_name)) = p_name)
    )

    select n.id
    from named as n
    -- One look at the index for each: a join would read all symbols.
    cross join lateral (select x.* from knowledge.symbol as x where x.id = n.id limit 1) as s
    group by n.id, s.is_public, s.kind, s.priors
    order by
        s.is_public desc,
        max((n.path = p_name)::integer) desc,
        s.priors[7],
        s.kind in ('class', 'function', 'method') desc,
        max((right(n.path, length(p_name)) = p_name)::integer) desc,
        min(length(n.path)),
        n.id
    limit 5;
$function$;
comment on function knowledge.named_symbols(bigint, text, boolean) is
'Finds up to five objects of a library by name, best first. Arguments: p_distribution_id: id of the library; p_name: '
'name of an object, or path, or the last parts of a path; p_is_exact: true if capitals must be the same. Returns the '
'ids of the objects.';
grant execute on function knowledge.named_symbols to qm_reader;
