-- api.put_candidates: candidates have no effect until a curator approves them.
-- Writes: decisions.decision, decisions.evidence, decisions.link, decisions.refusal.
create or replace function api.put_candidates(candidates jsonb, project text default null)
returns table (place integer, decision bigint, outcome text, reason text)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
begin
    if jsonb_typeof(put_candidates.candidates) is distinct from 'array'
        or jsonb_array_length(put_candidates.candidates) > 1000
    then
        perform core.fail(
            'argument_invalid',
            'candidates must be an array of at most 1000 objects',
            null,
            'Send fewer candidates at once.'
        );
    end if;
    return query
    select s.place, s.decision, s.outcome, s.reason
    from decisions.put_candidates(
        projects.find(put_candidates.project),
        case
            -- What an agent hands in was not mined, whatever it says: other agents are shown what was mined.
            when exists (select from policy.principal as p where p.id = policy.principal_id() and p.kind = 'agent') then
                (
                    select coalesce(
                        jsonb_agg(
                            case jsonb_typeof(c.candidate)
                                when 'object' then c.candidate || '{"origin": "agent_submitted"}'
                                else c.candidate
                            end order by c.place
                        ),
                        '[]'
                    )
                    from jsonb_array_elements(put_candidates.candidates) with ordinality as c (candidate, place)
                )
            else put_candidates.candidates
        end
    ) as s;
end
$function$;
comment on function api.put_candidates(jsonb, text) is
'Stores proposed decisions (candidates) that an analysis of the code (a miner) or an agent found. Arguments: '
'candidates: JSON array of candidates; project: the project, as NAME or OWNER/NAME (null: your only project). Each '
'candidate has pattern, scope {kind, value}, polarity (do or avoid), rationale and evidence. The kind of a scope is '
'path, module, language or global. Each element of evidence is {kind, path, line, end_line, blob, line_hash, commit, '
'excerpt, role}, in which kind is file, commit or document, and role is supports or contradicts. A candidate may also '
'have instead, confidence (low, medium or high), keywords, applies_when, rejected_alternatives, origin (bootstrap, '
'agent_submitted or imported), miner, check, statistics, importance and valid_from. Returns for each candidate, in the '
'given order: its position, the id of the decision, the outcome (added, known or refused), and the reason if the '
'candidate was refused. Raises QM404 project_not_found, QM409 project_ambiguous, QM422 argument_invalid. Can be null: '
'decision, reason.';
grant execute on function api.put_candidates to qm_user;
