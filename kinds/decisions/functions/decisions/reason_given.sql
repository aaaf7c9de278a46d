-- decisions.reason_given: takes a reason that somebody gave as a candidate: what is right once may be right always.
-- People decide whether it becomes a decision.
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
