-- knowledge.near_libraries: row policies hide libraries that the caller may not see.
create or replace function knowledge.near_libraries(p_library text, p_folder text, p_project_id integer)
returns text[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(array_agg(n.name order by n.fit desc, n.name), '{}')
    from (
        select d.name, max(f.fit) as fit
        from knowledge.distribution as d
        cross join lateral unnest(d.modules || d.name) as m (name)
        cross join lateral (
            select greatest(
                ext.similarity(lower(m.name), knowledge.library_name(p_library)),
                ext.similarity(lower(m.name), lower(split_part(btrim(p_library), '.', 1) collate core.c_utf8))
            ) as fit
        ) as f
        where f.fit >= 0.2
            and exists (
                select from knowledge.environment_distribution as h
                where h.distribution_id = d.id
                    -- Computed once.
                    and h.environment_id = any((select knowledge.environments_for(p_folder, p_project_id))::bigint[])
            )
        group by d.name
        order by 2 desc, 1
        limit 3
    ) as n;
$function$;
comment on function knowledge.near_libraries(text, text, integer) is
'Returns the names of up to three libraries that are similar to a name, best first. Arguments: p_library: the name; '
'p_folder: package folder that must contain the libraries (null: any folder); p_project_id: id of the project whose '
'installed packages are searched (null: all packages).';
grant execute on function knowledge.near_libraries to qm_reader;
