-- knowledge.near_symbols: if names are equally similar, an object whose owner (class or module) has a similar name
-- comes first. Counting edits is slow, so this is done only for the names that share the most trigrams with the given
-- name.
create or replace function knowledge.near_symbols(p_distribution_id bigint, p_name text)
returns table (id bigint, likeness real)
language sql
stable parallel safe security invoker
rows 3
set search_path = pg_catalog, pg_temp
as $function$
    with asked as (
        select
            split_part(lower(p_name collate core.c_utf8), '.', -1) as name,
            left(split_part(lower(p_name collate core.c_utf8), '.', -2), 100) as owner
    ),

    close as materialized (
        select
            s.id,
            s.priors[7] as outdated,
            length(s.path) as size,
            s.name,
            lower(split_part(s.path, '.', -2)) as owner
        from knowledge.symbol as s
        cross join asked as a
        where s.distribution_id = p_distribution_id and s.is_public and abs(length(s.name) - length(a.name)) <= 5
        order by ext.similarity(s.name, a.name) desc, s.priors[7], length(s.path), s.id
        limit 40
    ),

    rated as (
        select
            c.*,
            1 - knowledge.edit_distance(c.name, a.name)::real / greatest(length(c.name), length(a.name), 1) as likeness,
            knowledge.edit_distance(c.owner, a.owner) * 3 <= length(a.owner) as is_of_owner
        from close as c
        cross join asked as a
    )

    select r.id, (r.likeness - 0.3 * r.outdated)::real
    from rated as r
    where r.likeness >= 0.6
    order by 2 desc, r.is_of_owner desc, r.size, r.id
    limit 3;
$function$;
comment on function knowledge.near_symbols(bigint, text) is
'Finds up to three objects of a library whose names are similar to a given name. Arguments: p_distribution_id: id of '
'the library; p_name: name of an object, or path. Returns the objects, most similar first, each with its similarity: 1 '
'minus the share of letters that must be changed, at least 0.6. The similarity of an object that is deprecated or '
'belongs to an earlier version is lowered by 0.3.';
grant execute on function knowledge.near_symbols to qm_reader;
