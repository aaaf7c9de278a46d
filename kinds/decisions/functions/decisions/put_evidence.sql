-- Writes: decisions.evidence.
create or replace function decisions.put_evidence(p_ids bigint[], p_evidence jsonb[])
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into decisions.evidence (
        decision_id, kind, path, line, end_line, blob, line_hash, commit_hash, excerpt, role
    )
    select
        e.decision_id,
        e.kind,
        e.path,
        e.line,
        case when e.end_line > e.line then e.end_line end,
        e.blob,
        e.line_hash,
        e.commit,
        e.excerpt,
        e.role
    from (
        select distinct on (
            d.decision_id, e.kind, e.path, e.line, e.line_hash, e.commit, coalesce(e.role, 'supports'), e.excerpt
        )
            d.decision_id, d.number, p.place, e.kind, e.path, e.line, e.end_line, e.blob, e.line_hash, e.commit,
            left(coalesce(e.excerpt, ''), 1000) as excerpt, coalesce(e.role, 'supports') as role
        from unnest(p_ids, p_evidence) with ordinality as d (decision_id, evidence, number)
        cross join lateral jsonb_array_elements(coalesce(d.evidence, '[]')) with ordinality as p (piece, place)
        cross join lateral jsonb_to_record(p.piece) as e (
            kind text, path text, line integer, end_line integer, blob text, line_hash text, commit text, excerpt text,
            role text
        )
        order by
            d.decision_id,
            e.kind,
            e.path,
            e.line,
            e.line_hash,
            e.commit,
            coalesce(e.role, 'supports'),
            e.excerpt,
            d.number,
            p.place
    ) as e
    where not exists (
        select from decisions.evidence as x
        where x.decision_id = e.decision_id
            and (x.kind, x.path, x.line, x.line_hash, x.commit_hash, x.role)
            is not distinct from (e.kind, e.path, e.line, e.line_hash, e.commit, e.role)
    )
    order by e.number, e.place;
$function$;
comment on function decisions.put_evidence(bigint[], jsonb[]) is
'Adds evidence to decisions. Evidence that a decision already has is not added again. Arguments: p_ids: ids of the '
'decisions; p_evidence: one JSON array for each decision, with the evidence in the form that api.put_candidates takes.';
