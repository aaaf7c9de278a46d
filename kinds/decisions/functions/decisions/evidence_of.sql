-- decisions.evidence_of: every member may add evidence to a decision, and even the name of a file can contain
-- instructions to an agent. Therefore, agents get only evidence that a curator has seen.
create or replace function decisions.evidence_of(
    p_decision_id bigint,
    p_maximum integer default null,
    p_with_excerpts boolean default false,
    p_only_reviewed boolean default false
)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(jsonb_agg(e.piece order by e.number), '[]')
    from (
        select
            row_number() over (order by x.role desc, x.is_gone, x.id) as number,
            jsonb_strip_nulls(jsonb_build_object(
                'kind', x.kind,
                'path', x.path,
                'line', x.line,
                'end_line', x.end_line,
                'blob', x.blob,
                'line_hash', x.line_hash,
                'commit', x.commit_hash,
                'role', x.role,
                'gone', nullif(x.is_gone, false)
            )) || case
                when p_with_excerpts then jsonb_build_object('id', x.id, 'excerpt', x.excerpt)
                else '{}'
            end as piece
        from decisions.evidence as x
        where x.decision_id = p_decision_id and (x.is_reviewed or not p_only_reviewed)
        order by 1
        limit p_maximum
    ) as e;
$function$;
comment on function decisions.evidence_of(bigint, integer, boolean, boolean) is
'Lists the evidence of a decision. Arguments: p_decision_id: id of the decision; p_maximum: maximum number of pieces '
'of evidence; p_with_excerpts: true to include ids and excerpts, which only curators need; p_only_reviewed: true to '
'omit evidence that was added after the approval. Returns a JSON array that begins with the supporting evidence.';
grant execute on function decisions.evidence_of to qm_reader;
