-- Writes: decisions.decision, decisions.review, decisions.link, cards.
create or replace function api.supersede_decision(
    id bigint, by_id bigint, reason text default '', project text default null
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(supersede_decision.project);
    v_old decisions.decision;
    v_new decisions.decision;
begin
    if supersede_decision.id = supersede_decision.by_id then
        perform core.fail('decision_invalid', format('decision %s cannot replace itself', supersede_decision.id));
    end if;
    select d.* into v_old from decisions.of_project(array[supersede_decision.id], v_project_id) as d;
    select d.* into v_new from decisions.of_project(array[supersede_decision.by_id], v_project_id) as d;
    update decisions.decision as d set superseded_by = v_new.id, updated_at = core.now() where d.id = v_old.id;
    perform decisions.record_review(v_old, 'supersede', supersede_decision.reason);
    insert into decisions.link (from_id, to_id, kind, reason, created_at)
    values (v_new.id, v_old.id, 'supersedes', coalesce(supersede_decision.reason, ''), core.now())
    on conflict do nothing;
    if v_new.status <> 'canonical' then
        perform decisions.settle(v_new, 'canonical', 'approve', supersede_decision.reason);
    end if;
    perform decisions.show_cards(array[v_old.id, v_new.id]);
end
$function$;
comment on function api.supersede_decision(bigint, bigint, text, text) is
'Replaces an old decision with a new decision, which becomes canonical. Only curators of decisions may do this, and '
'nobody can do it through the service. Arguments: id: id of the old decision; by_id: id of the new decision; reason: '
'reason for the replacement; project: the project, as NAME or OWNER/NAME (null: your only project). Raises QM403 '
'principal_unknown, decision_door_closed, decision_curator_required, QM404 project_not_found, decision_not_found, '
'QM409 project_ambiguous, decision_contradicted, decision_superseded, decision_suspicious, QM422 decision_invalid.';
grant execute on function api.supersede_decision to qm_user;
