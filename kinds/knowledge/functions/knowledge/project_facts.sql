create or replace function knowledge.project_facts(p_project_id integer)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_array(
        jsonb_build_array('Environment', coalesce(
            e.packages || case e.packages when 1 then ' package is indexed' else ' packages are indexed' end,
            format('no package of its own is indexed (qm docs index --project %s)', p.name)
        )),
        jsonb_build_array('Knowledge', format('%s own %s', n.notes, case n.notes when 1 then 'note' else 'notes' end))
    )
    from projects.project as p
    cross join lateral (
        select nullif(count(distinct h.distribution_id), 0) as packages
        from knowledge.environment as v
        inner join knowledge.environment_distribution as h on h.environment_id = v.id
        where v.project_id = p.id
    ) as e
    cross join lateral (
        select count(*) as notes from knowledge.note as k where k.project_id = p.id and k.problem is null
    ) as n
    where p.id = p_project_id;
$function$;
comment on function knowledge.project_facts(integer) is
'Tells what is known about a project (hook point project_facts). Argument p_project_id: id of the project. Returns a '
'JSON array of pairs: Environment, and the number of indexed packages; Knowledge, and the number of the project''s own '
'notes.';
grant execute on function knowledge.project_facts to qm_reader;
