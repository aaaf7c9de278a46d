-- decisions.put_evidence: adds evidence to a decision, each piece once.
-- Writes: decisions.evidence.
create or replace function decisions.put_evidence(p_decision_id bigint, p_evidence jsonb)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into decisions.evidence (decision_id, kind, path, line, end_line, blob, line_hash, commit_hash, excerpt, role)
    select
        p_decision_id, e.kind, e.path, e.line, case when e.end_line > e.line then e.end_line end, e.blob, e.line_hash, e.commit, left(coalesce(e.excerpt, ''), 1000),
        coalesce(e.role, 'supports')
    from jsonb_to_recordset(coalesce(p_evidence, '[]')) as e (
        kind text, path text, line integer, end_line integer, blob text, line_hash text, commit text, excerpt text, role text
    )
    where not exists (
        select from decisions.evidence as x
        where x.decision_id = p_decision_id
            and (x.kind, x.path, x.line, x.line_hash, x.commit_hash, x.role)
            is not distinct from (e.kind, e.path, e.line, e.line_hash, e.commit, coalesce(e.role, 'supports'))
    );
$function$;
comment on function decisions.put_evidence(bigint, jsonb) is
'Adds evidence to a decision, each piece once. Arguments: p_decision_id: the decision; p_evidence: array as in '
'api.put_candidates.';
