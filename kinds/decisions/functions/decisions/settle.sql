-- decisions.settle: every change of a status goes through this function. A decision that was replaced can only be
-- rejected. Before a decision becomes canonical, decisions.require_sound checks it.
-- Writes: decisions.decision, decisions.evidence, decisions.review.
create or replace function decisions.settle(
    p_decision decisions.decision, p_status text, p_action text, p_reason text, p_commit text default null
)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_status <> 'rejected' and p_decision.superseded_by is not null then
        perform core.fail(
            'decision_superseded',
            format(
                'decision %s cannot be changed, because decision %s has replaced it',
                p_decision.id,
                p_decision.superseded_by
            )
        );
    end if;
    if p_status = 'canonical' then
        perform decisions.scan(array[p_decision.id]);
        perform decisions.require_sound(p_decision.id);
        update decisions.evidence as e set is_reviewed = true where e.decision_id = p_decision.id and not e.is_reviewed;
    end if;
    update decisions.decision as d set status = p_status, updated_at = core.now() where d.id = p_decision.id;
    perform decisions.record_review(p_decision, p_action, p_reason, p_commit);
end
$function$;
comment on function decisions.settle(decisions.decision, text, text, text, text) is
'Changes the status of a decision, and records the review. Arguments: p_decision: the decision; p_status: the new '
'status: canonical, rejected or candidate; p_action: the action (see decisions.review); p_reason: the curator''s '
'reason; p_commit: the commit that contains the review (null: no commit). Raises QM409 decision_contradicted, '
'decision_superseded, decision_suspicious.';
