-- knowledge.find_distributions: several distributions can share a module (zope, google). The order is: distributions
-- that contain the object, distributions with any objects, distributions with sources, distributions with only stubs of
-- the module. Newer distributions come before older ones. Row policies hide what the caller may not see.
create or replace function knowledge.find_distributions(
    p_library text, p_folder text default null, p_project_id integer default null
)
returns table (id bigint, name text, version text, fit real)
language sql
stable parallel safe security invoker
rows 5
set search_path = pg_catalog, pg_temp
as $function$
    select d.id, d.name, d.version, f.fit
    from knowledge.distribution as d
    cross join lateral (
        select
            knowledge.library_name(p_library) as name,
            lower(split_part(btrim(left(p_library, 200)), '.', 1) collate core.c_utf8) as module
    ) as g
    cross join lateral (
        select (case
            when d.name = g.name then 3
            when exists (select from unnest(d.modules) as m (name) where lower(m.name) = g.module)
                then case
                    when exists (
                        select from knowledge.symbol as s where s.distribution_id = d.id and s.path = p_library
                    )
                        then 2.5
                    else 2
                end
            else greatest(
                ext.similarity(d.name, g.name),
                (select max(ext.similarity(lower(m.name), g.module)) from unnest(d.modules) as m (name))
            )
        end)::real as fit
    ) as f
    cross join lateral (
        select exists (
            select from unnest(d.modules) as m (name)
            inner join knowledge.symbol as s
                on s.distribution_id = d.id and s.path = m.name and s.file ^@ (m.name || '-stubs/')
            where lower(m.name) = g.module
        ) as is_stubs
    ) as b
    where f.fit >= 0.45
        and exists (
            select from knowledge.environment_distribution as h
            where h.distribution_id = d.id
                -- Computed once.
                and h.environment_id = any((select knowledge.environments_for(p_folder, p_project_id))::bigint[])
        )
    order by f.fit desc, d.objects = 0, b.is_stubs, d.indexed_at desc, d.id desc;
$function$;
comment on function knowledge.find_distributions(text, text, integer) is
'Finds the distributions to which a name may refer, best first. Arguments: p_library: name of a distribution or '
'module; p_folder: package folder that must contain the distribution (null: any folder); p_project_id: id of the '
'project whose installed packages are searched (null: all packages). Returns for each distribution a number (fit): 3 '
'if the name is the name of a distribution; 2.5 if the name is the path of an object; 2 if the name is the name of a '
'module; otherwise the similarity of the names.';
grant execute on function knowledge.find_distributions to qm_reader;
