create or replace function decisions.of_project(p_ids bigint[], p_project_id integer)
returns setof decisions.decision
language plpgsql
volatile parallel unsafe security invoker
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_missing bigint;
begin
    perform decisions.require_curator(p_project_id);
    select g.id
    into v_missing
    from unnest(p_ids) as g (id)
    where not exists (select from decisions.decision as d where d.id = g.id and d.project_id = p_project_id)
    limit 1;
    if v_missing is not null or coalesce(cardinality(p_ids), 0) = 0 then
        perform core.fail(
            'decision_not_found',
            case
                when v_missing is null then 'no decision is named'
                else format('the project has no decision %s', v_missing)
            end
        );
    end if;
    return query
    select d.*
    from decisions.decision as d
    where d.id = any(p_ids) and d.project_id = p_project_id
    order by d.id
    for update;
end
$function$;
comment on function decisions.of_project(bigint[], integer) is
'Finds decisions of one project, and locks the rows of these decisions so that a curator can change them. Arguments: '
'p_ids: ids of the decisions; p_project_id: id of the project. Returns the decisions in the order of their ids. Raises '
'QM403 principal_unknown, decision_door_closed, decision_curator_required, QM404 project_not_found, '
'decision_not_found.';
