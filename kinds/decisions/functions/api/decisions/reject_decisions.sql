-- Writes: decisions.decision, decisions.review, cards.
create or replace function api.reject_decisions(ids bigint[], reason text default '', project text default null)
returns integer
language sql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select decisions.settle_all(reject_decisions.ids, 'reject', reject_decisions.reason, reject_decisions.project);
$function$;
comment on function api.reject_decisions(bigint[], text, text) is
'Rejects decisions, so that agents no longer get them and nobody proposes them again (api.reopen_decisions undoes '
'this). Only curators of decisions may do this, and nobody can do it through the service. Arguments: ids: ids of the '
'decisions; reason: reason for the rejection; project: the project, as NAME or OWNER/NAME (null: your only project). '
'Returns how many decisions were rejected. Raises QM403 principal_unknown, decision_door_closed, '
'decision_curator_required, QM404 project_not_found, decision_not_found, QM409 project_ambiguous.';
grant execute on function api.reject_decisions to qm_user;
