-- knowledge.require_library: a project may lack a library that other environments contain. Then the error says so, and
-- no library with a similar name is returned, because the caller could mistake it for the requested one. If the
-- requested version is not installed, the nearest version is returned: 1.2.3 is nearer to 1.2 than 1.3 is, and 1.2.0 is
-- the same as 1.2.
create or replace function knowledge.require_library(
    p_library text,
    p_folder text,
    p_project_id integer,
    p_version text default null,
    out id bigint,
    out name text,
    out version text,
    out fit real
)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_known text; -- the library of this name that the project does not have
    v_versions text;
    v_project text; -- OWNER/NAME
begin
    select d.id, d.name, d.version, d.fit
    into id, name, version, fit
    from knowledge.find_distributions(
        p_library, p_folder, p_project_id
    ) with ordinality as d (id, name, version, fit, place)
    cross join lateral (
        select regexp_replace(d.version, '(\.0)+$', '') as had, regexp_replace(p_version, '(\.0)+$', '') as wanted
    ) as v
    order by
        d.fit desc,
        v.had = v.wanted desc nulls last,
        starts_with(v.had || '.', v.wanted || '.') desc nulls last,
        d.place
    limit 1;
    if fit >= 2 then
        return;
    end if;
    if p_folder is null and p_project_id is not null then
        select d.name, string_agg(distinct d.version collate core.c_utf8, ', ')
        into v_known, v_versions
        from knowledge.find_distributions(p_library) as d
        where d.fit >= 2
        group by d.name
        order by max(d.fit) desc, d.name collate core.c_utf8
        limit 1;
    end if;
    if v_known is not null then
        select projects.principal_name(p.owner_id) || '/' || p.name
        into v_project
        from projects.project as p
        where p.id = p_project_id;
        perform core.fail(
            'library_not_installed',
            format('%s is not among the packages that were read for the project %s', v_known, v_project),
            null,
            format(
                'To see version %s, which was read elsewhere, name its folder: qm docs lookup %s --python FOLDER. If '
                'the project uses this library, run: qm docs index --project %s.',
                v_versions,
                v_known,
                v_project
            )
        );
    elsif id is null then
        perform core.fail(
            'library_not_found',
            format('no indexed library is called %L', left(p_library, 200)),
            null,
            'Similar names: ' || nullif(
                array_to_string(knowledge.near_libraries(p_library, p_folder, p_project_id), ', '), ''
            )
            || '. Others are listed by qm docs status.'
        );
    end if;
end
$function$;
comment on function knowledge.require_library(text, text, integer, text) is
'Finds the distribution to which a name most probably refers. Arguments: p_library, p_folder and p_project_id: see '
'knowledge.find_distributions; p_version: version that the caller would like to have (null: the newest). Returns the '
'id, name, version and fit of the distribution. Raises an error if no library has this name or a similar name, or if '
'the project does not have the library. The errors are QM404 library_not_found, library_not_installed.';
grant execute on function knowledge.require_library to qm_reader;
