-- api.compare_versions: the function finds the object as a lookup does (knowledge.named_symbols). In the other
-- versions, the path of the object must be the same, including capitals.
create or replace function api.compare_versions(library text, name text)
returns table (version text, has_it boolean, path text, deprecated text)
language sql
stable parallel safe security definer
rows 5
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select d.version, s.path is not null, s.path, nullif(s.deprecated, '')
    from knowledge.distribution as d
    left join lateral (
        select x.path, x.deprecated
        from knowledge.named_symbols(d.id, compare_versions.name, true) with ordinality as n (id, place)
        -- One look at the index for each: a join would read all symbols.
        cross join lateral (select k.* from knowledge.symbol as k where k.id = n.id limit 1) as x
        order by n.place
        limit 1
    ) as s on true
    where d.name = (select f.name from knowledge.find_distributions(compare_versions.library) as f limit 1)
    order by d.indexed_at desc, d.version desc;
$function$;
comment on function api.compare_versions(text, text) is
'Shows how an object differs between the known versions of a library. Arguments: library: name of the library; name: '
'path of an object, or the last part of such a path. Returns for each version that the caller may see: the version, '
'whether this version contains the object, and the deprecation notice if the object is deprecated. Can be null: path, '
'deprecated.';
alter function api.compare_versions owner to qm_reader;
grant execute on function api.compare_versions to qm_user;
