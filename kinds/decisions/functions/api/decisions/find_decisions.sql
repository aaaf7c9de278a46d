create or replace function api.find_decisions(
    project text default null,
    status text default null,
    path text default null,
    health text default null,
    maximum integer default null,
    with_excerpts boolean default false
)
returns setof jsonb
language plpgsql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(find_decisions.project, p_path => find_decisions.path);
begin
    return query
    select decisions.as_json(d, find_decisions.with_excerpts) || jsonb_build_object(
        'duplicates', coalesce(
            (select jsonb_agg(o.other order by o.other) from decisions.linked(d.id) as o where o.kind = 'duplicate'),
            '[]'
        ),
        'contradicts', coalesce(
            (select jsonb_agg(o.other order by o.other) from decisions.linked(d.id) as o where o.kind = 'contradicts'),
            '[]'
        )
    )
    from decisions.decision as d
    where d.project_id = v_project_id
        and (find_decisions.status is null or d.status = find_decisions.status)
        and (find_decisions.health is null or d.health = find_decisions.health)
        and (
            find_decisions.path is null
            or d.id in (
                select p.decision_id
                from decisions.places_at(v_project_id, projects.below(v_project_id, find_decisions.path)) as p
            )
        )
        and d.superseded_by is null
    order by
        array_position('{canonical,candidate,rejected}', d.status),
        d.importance desc,
        array_position('{high,medium,low}', d.confidence),
        d.id
    limit find_decisions.maximum;
end
$function$;
comment on function api.find_decisions(text, text, text, text, integer, boolean) is
'Lists the decisions of a project, best first. Arguments: project: the project, as NAME or OWNER/NAME (null: your only '
'project); status: return only decisions with this status (candidate, canonical or rejected); path: return only '
'decisions about this file or folder (a relative or an absolute path); health: return only decisions with this health, '
'which says whether the code still follows them (fresh, suspect, contested or obsolete); maximum: maximum number of '
'rows; with_excerpts: true to include the ids and the excerpts of evidence, which curators need. For status, path and '
'health, null means no restriction. Returns each decision as JSON, with its evidence and statistics. The member '
'`duplicates` contains the ids of decisions that say the same thing. The member `contradicts` contains the ids of '
'decisions that contradict this decision. Both members leave out links that a curator has resolved.';
alter function api.find_decisions owner to qm_reader;
grant execute on function api.find_decisions to qm_user;
