-- Writes: decisions.decision, decisions.evidence, decisions.review, decisions.link, cards.
create or replace function api.merge_decisions(
    into_id bigint, ids bigint[], reason text default '', project text default null
)
returns jsonb
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(merge_decisions.project);
    v_kept decisions.decision;
    v_decision decisions.decision;
begin
    if merge_decisions.into_id = any(merge_decisions.ids) then
        perform core.fail(
            'decision_invalid', format('decision %s cannot be merged into itself', merge_decisions.into_id)
        );
    end if;
    select d.* into v_kept from decisions.of_project(array[merge_decisions.into_id], v_project_id) as d;
    for v_decision in select d.* from decisions.of_project(merge_decisions.ids, v_project_id) as d loop
        perform decisions.put_evidence(array[v_kept.id], array[decisions.evidence_of(v_decision.id, null, true)]);
        perform decisions.settle(
            v_decision,
            'rejected',
            'merge',
            concat_ws(': ', 'merged into decision ' || v_kept.id, nullif(merge_decisions.reason, ''))
        );
        insert into decisions.link (from_id, to_id, kind, created_at, resolved_at, resolved_by)
        values (
            greatest(v_kept.id, v_decision.id),
            least(v_kept.id, v_decision.id),
            'duplicate',
            core.now(),
            core.now(),
            policy.principal_id()
        )
        on conflict on constraint link_pkey do update
        set resolved_at = excluded.resolved_at, resolved_by = excluded.resolved_by;
    end loop;
    if v_kept.status = 'canonical' then
        update decisions.evidence as e set is_reviewed = true where e.decision_id = v_kept.id and not e.is_reviewed;
    end if;
    perform decisions.record_review(v_kept, 'merge', merge_decisions.reason);
    perform decisions.show_cards(merge_decisions.ids || merge_decisions.into_id);
    return (select decisions.as_json(d) from decisions.decision as d where d.id = v_kept.id);
end
$function$;
comment on function api.merge_decisions(bigint, bigint[], text, text) is
'Merges decisions that say the same thing. Only curators of decisions may do this, and nobody can do it through the '
'service. Arguments: into_id: id of the decision that remains, and gets all evidence; ids: ids of the other decisions, '
'which are rejected; reason: reason for the merge; project: the project, as NAME or OWNER/NAME (null: your only '
'project). Returns the remaining decision as JSON. Raises QM403 principal_unknown, decision_door_closed, '
'decision_curator_required, QM404 project_not_found, decision_not_found, QM409 project_ambiguous, QM422 '
'decision_invalid.';
grant execute on function api.merge_decisions to qm_user;
