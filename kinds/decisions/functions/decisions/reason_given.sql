-- decisions.reason_given: somebody has given a reason for rejecting a finding. The reason may also be right in other
-- cases, so it becomes a candidate, about which curators decide.
-- Writes: decisions.decision, decisions.evidence, decisions.link, decisions.refusal.
create or replace function decisions.reason_given(p_project_id integer, p_candidate jsonb)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform decisions.put_candidates(p_project_id, jsonb_build_array(p_candidate));
end
$function$;
comment on function decisions.reason_given(integer, jsonb) is
'Stores a proposed decision (hook point reason_given). Arguments: p_project_id: id of the project; p_candidate: the '
'candidate in the form that api.put_candidates takes.';
