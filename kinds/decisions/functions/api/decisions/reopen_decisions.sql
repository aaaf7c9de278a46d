-- Writes: decisions.decision, decisions.review, cards.
create or replace function api.reopen_decisions(ids bigint[], reason text default '', project text default null)
returns integer
language sql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select decisions.settle_all(reopen_decisions.ids, 'reopen', reopen_decisions.reason, reopen_decisions.project);
$function$;
comment on function api.reopen_decisions(bigint[], text, text) is
'Undoes the approval or the rejection of decisions. The decisions become candidates again: agents no longer get them, '
'and a curator can approve or reject them again. Only curators of decisions may do this, and nobody can do it through '
'the service. Arguments: ids: ids of the decisions; reason: reason for the change; project: the project, as NAME or '
'OWNER/NAME (null: your only project). Returns how many decisions became candidates. Raises QM403 principal_unknown, '
'decision_door_closed, decision_curator_required, QM404 project_not_found, decision_not_found, QM409 '
'project_ambiguous, decision_superseded.';
grant execute on function api.reopen_decisions to qm_user;
