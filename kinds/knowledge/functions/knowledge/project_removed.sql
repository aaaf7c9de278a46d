-- knowledge.project_removed: when a project is removed, its environments are removed, too. Packages that no other
-- environment contains are removed with them (knowledge.environments_changed).
create or replace function knowledge.project_removed(p_project_id integer)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with packages as (
        select h.distribution_id as id
        from knowledge.environment_distribution as h
        inner join knowledge.environment as e on e.id = h.environment_id
        group by h.distribution_id
        having bool_and(e.project_id is not distinct from p_project_id)
    )

    select jsonb_build_object(
        'packages', (select count(*) from packages),
        'cards', (
            select count(*)
            from search.card as c
            inner join knowledge.symbol as s on s.id = c.ref
            where c.kind = 'symbol' and s.distribution_id in (select p.id from packages as p)
        )
    );
$function$;
comment on function knowledge.project_removed(integer) is
'Counts the packages and symbols that are removed with a project (hook point project_removed). Argument p_project_id: '
'id of the project. Returns JSON: packages: number of packages that only this project contains; cards: number of the '
'symbols of these packages.';
