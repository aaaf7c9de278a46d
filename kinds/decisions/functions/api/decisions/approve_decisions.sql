-- Writes: decisions.decision, decisions.review, cards.
create or replace function api.approve_decisions(ids bigint[], reason text default '', project text default null)
returns integer
language sql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select decisions.settle_all(approve_decisions.ids, 'approve', approve_decisions.reason, approve_decisions.project);
$function$;
comment on function api.approve_decisions(bigint[], text, text) is
'Approves proposed decisions (candidates). Approved decisions are canonical: agents get them. If one of the given '
'candidates cannot be approved, the function approves none of them. Only curators of decisions may do this, and nobody '
'can do it through the service. Arguments: ids: ids of the candidates; reason: reason for the approval; project: the '
'project, as NAME or OWNER/NAME (null: your only project). Returns how many decisions became canonical. Raises QM403 '
'principal_unknown, decision_door_closed, decision_curator_required, QM404 project_not_found, decision_not_found, '
'QM409 project_ambiguous, decision_contradicted, decision_superseded, decision_suspicious.';
grant execute on function api.approve_decisions to qm_user;
