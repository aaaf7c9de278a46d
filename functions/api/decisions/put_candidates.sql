-- api.put_candidates: stores candidates that a miner or an agent found. They stay candidates until a curator decides.
-- The function runs with the rights of its owner (security definer), because only functions may write decisions.
-- Raises: QM404 project_not_found, QM409 project_ambiguous, QM422 argument_invalid.
-- Writes: decisions.decision, decisions.evidence, decisions.link, decisions.refusal.
create or replace function api.put_candidates(candidates jsonb, project text default null)
returns table (place integer, decision bigint, outcome text, reason text)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(put_candidates.project);
    v_is_agent constant boolean := exists (select from policy.principal as p where p.id = policy.principal_id() and p.kind = 'agent');
    v_stored jsonb;
    v_added bigint[];
begin
    if jsonb_typeof(put_candidates.candidates) is distinct from 'array' or jsonb_array_length(put_candidates.candidates) > 1000 then
        perform core.fail('argument_invalid', 'candidates must be an array of at most 1000 objects', null, 'Hand in fewer candidates at once.');
    end if;
    perform from projects.project as p where p.id = v_project_id for update; -- one batch at a time
    select jsonb_agg(to_jsonb(s) || jsonb_build_object('place', c.place) order by c.place) into v_stored
    from jsonb_array_elements(put_candidates.candidates) with ordinality as c (candidate, place)
    cross join lateral decisions.put_candidate(
        v_project_id,
        -- What an agent hands in was not mined, whatever it says: other agents are shown what was mined.
        case when v_is_agent and jsonb_typeof(c.candidate) = 'object' then c.candidate || '{"origin": "agent_submitted"}' else c.candidate end
    ) as s;
    v_added := array(select (s.stored ->> 'decision')::bigint from jsonb_array_elements(v_stored) as s (stored) where s.stored ->> 'outcome' = 'added');
    perform decisions.scan(v_added);
    perform decisions.link_decisions(v_added);
    return query
    select s.place, s.decision, s.outcome, s.reason
    from jsonb_to_recordset(coalesce(v_stored, '[]')) as s (place integer, decision bigint, outcome text, reason text);
end
$function$;
comment on function api.put_candidates(jsonb, text) is
'Stores candidates that a miner or an agent found. Arguments: candidates: array of {pattern, scope: {kind: path, module, '
'language or global, value}, polarity: do or avoid, rationale, instead, confidence: low, medium or high, keywords, '
'applies_when, rejected_alternatives, origin: bootstrap, agent_submitted or imported, miner, check, statistics, importance, '
'valid_from, evidence: [{kind: file, commit or document, path, line, end_line, blob, line_hash, commit, excerpt, role: '
'supports or contradicts}]}; project: NAME or OWNER/NAME, null for the only one. Returns for each candidate, in order: '
'its place, the id of the decision, the outcome (added, known, refused), and why it was refused.';
grant execute on function api.put_candidates to qm_user;
