-- api.report_decision_health: a comparison finds evidence that no longer exists, and decisions that new code does not
-- follow. It changes no status and deletes nothing. Agents get decisions that are not fresh after the others.
-- Writes: decisions.decision, decisions.evidence.
create or replace function api.report_decision_health(
    reports jsonb, commit text default null, project text default null
)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(report_decision_health.project);
    v_count integer;
begin
    if jsonb_typeof(report_decision_health.reports) is distinct from 'array'
        or exists (
            select from jsonb_array_elements(report_decision_health.reports) as r (report)
            where (r.report ->> 'health' in ('fresh', 'suspect', 'contested', 'obsolete')) is not true
                or jsonb_typeof(r.report -> 'decision') is distinct from 'number'
        )
        or report_decision_health.commit !~ '^[0-9a-f]{7,64}$'
    then
        perform core.fail(
            'argument_invalid',
            'reports must be an array of {decision, health}, and commit must be a hash',
            null,
            'Set health to "fresh", "suspect", "contested" or "obsolete".'
        );
    end if;
    update decisions.evidence as e
    set
        is_gone = coalesce(p.gone, e.is_gone),
        path = coalesce(p.path, e.path),
        line = coalesce(p.line, e.line),
        end_line = greatest(coalesce(p.end_line, p.line, e.end_line), coalesce(p.line, e.line))
    from jsonb_array_elements(report_decision_health.reports) as r (report)
    cross join lateral jsonb_to_recordset(coalesce(r.report -> 'evidence', '[]')) as p (
        id bigint, gone boolean, path text, line integer, end_line integer
    )
    inner join decisions.decision as d on d.id = (r.report ->> 'decision')::bigint and d.project_id = v_project_id
    where e.id = p.id and e.decision_id = d.id;
    update decisions.decision as d
    set
        health = r.report ->> 'health',
        health_reason = left(coalesce(r.report ->> 'reason', ''), 1000),
        last_verified = coalesce(report_decision_health.commit, d.last_verified),
        statistics = d.statistics || coalesce(nullif(r.report -> 'statistics', 'null'), '{}')
    from jsonb_array_elements(report_decision_health.reports) as r (report)
    where d.id = (r.report ->> 'decision')::bigint and d.project_id = v_project_id;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function api.report_decision_health(jsonb, text, text) is
'Stores the results of a comparison between decisions and the code. Arguments: reports: JSON array of {decision, '
'health, reason, statistics, evidence}, in which decision is the id of the decision, health is fresh, suspect, '
'contested or obsolete (see api.find_decisions), and evidence is an array of {id, gone (true: it no longer exists), '
'path, line, end_line}; commit: hash of the commit with which the decisions were compared; project: the project, as '
'NAME or OWNER/NAME (null: your only project). Returns how many decisions were updated. Raises QM404 '
'project_not_found, QM409 project_ambiguous, QM422 argument_invalid.';
grant execute on function api.report_decision_health to qm_user;
