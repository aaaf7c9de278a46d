-- decisions.settle_all: the new status of each action is defined here. Decisions that already have this status are not
-- changed.
-- Writes: decisions.decision, decisions.review, cards.
create or replace function decisions.settle_all(p_ids bigint[], p_action text, p_reason text, p_project text)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_status constant text := case p_action
        when 'approve' then 'canonical'
        when 'reject' then 'rejected'
        when 'reopen' then 'candidate'
    end;
    v_count integer;
begin
    perform decisions.settle(d, v_status, p_action, p_reason)
    from decisions.of_project(p_ids, projects.find(p_project)) as d
    where d.status <> v_status;
    get diagnostics v_count = row_count;
    perform decisions.show_cards(p_ids);
    return v_count;
end
$function$;
comment on function decisions.settle_all(bigint[], text, text, text) is
'Changes the status of several decisions in a project, and records the reviews. Arguments: p_ids: ids of the '
'decisions; p_action: the action, which decides the new status: approve (canonical), reject (rejected) or reopen '
'(candidate); p_reason: the curator''s reason; p_project: the project, as NAME or OWNER/NAME (null: the project that '
'projects.find finds). Returns the number of decisions whose status changed. Raises QM403 principal_unknown, '
'decision_door_closed, decision_curator_required, QM404 project_not_found, decision_not_found, QM409 '
'project_ambiguous, decision_contradicted, decision_superseded, decision_suspicious.';
