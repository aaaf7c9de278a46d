create or replace function quality.waiver_candidate(p_waiver_id bigint, p_file_version_id bigint)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'pattern', left(format('%s need not hold in %s: %s', coalesce(f.rule, x.what), x.path, x.reason), 500),
        'scope', jsonb_build_object('kind', 'path', 'value', left(x.path, 500)),
        'rationale', left(x.reason, 4000),
        'miner', 'waiver',
        'keywords', jsonb_build_array(coalesce(f.rule, x.what)),
        'evidence', jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
            'kind', 'file',
            'path', left(x.path, 1000),
            'line', nullif(f.line, 0),
            'blob', v.blob_hash,
            'excerpt', left(f.message, 1000)
        )))
    )
    from quality.waiver as x
    left join quality.file_version as v on v.id = p_file_version_id
    left join lateral (
        select n.rule, n.line, n.message
        from quality.findings(v.id) as n
        where n.fingerprint = x.what
        order by n.line
        limit 1
    ) as f on true
    where x.id = p_waiver_id;
$function$;
comment on function quality.waiver_candidate(bigint, bigint) is
'Makes a proposed decision (candidate) from a waiver. Curators can then approve the reason of the waiver as a '
'decision. Arguments: p_waiver_id: id of the waiver; p_file_version_id: id of the version of the file that contains '
'the finding (null: no file). Returns the candidate in the form that api.put_candidates takes.';
