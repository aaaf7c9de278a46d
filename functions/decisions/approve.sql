-- decisions.approve: makes a decision canonical. It refuses one that contradicts a canonical decision, until a curator
-- has resolved the contradiction.
-- Raises: QM409 decision_contradicted, decision_superseded.  Writes: decisions.decision, decisions.review.
create or replace function decisions.approve(p_decision decisions.decision, p_reason text, p_action text default 'approve', p_commit text default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_decision.superseded_by is not null then
        perform core.fail(
            'decision_superseded', format('decision %s was replaced by decision %s', p_decision.id, p_decision.superseded_by)
        );
    end if;
    perform decisions.refuse_contradiction(p_decision.id);
    update decisions.decision as d set status = 'canonical', updated_at = core.now() where d.id = p_decision.id;
    perform decisions.record_review(p_decision, p_action, p_reason, p_commit);
end
$function$;
comment on function decisions.approve(decisions.decision, text, text, text) is
'Makes a decision canonical. Arguments: p_decision: the decision; p_reason: why; p_action: approve or import; p_commit: '
'the commit that was the review, or null.';
