-- quality.findings: a finding does not count if it is a hint, if a person has waived it, or if another checker replaces
-- it (quality.succession). If a suppression comment in the file would hide the finding, the comment is returned only if
-- the finding would count without it (quality.suppressions).
create or replace function quality.findings(p_file_version_id bigint)
returns table (
    id bigint,
    tool text,
    rule text,
    category text,
    severity text,
    cwe integer,
    owasp text,
    line integer,
    end_line integer,
    message text,
    remedy text,
    steps jsonb,
    fingerprint text,
    counts boolean,
    because text,
    suppressed_by text,
    suppressed_at integer
)
language sql
stable parallel safe security invoker
rows 50
set search_path = pg_catalog, pg_temp
as $function$
    with latest as materialized (
        select * from quality.latest_scans(p_file_version_id)
    ),

    found as materialized (
        select f.*, l.tool
        from latest as l
        inner join quality.finding as f on f.scan_id = l.id
    ),

    -- Once for each rule, not for each finding: regular expressions are slow.
    assigned as materialized (
        select r.tool, r.rule, a.category
        from (select distinct f.tool, f.rule from found as f) as r
        cross join lateral (
            select a.category
            from quality.assignment as a
            where a.tool in (r.tool, '*') and r.rule ~ a.rule
            order by a.place
            limit 1
        ) as a
    )

    select
        f.id,
        f.tool,
        f.rule,
        a.category,
        f.severity,
        f.cwe,
        w.owasp,
        f.line,
        f.end_line,
        f.message,
        f.remedy,
        f.steps,
        f.fingerprint,
        not f.is_hint and n.reason is null and g.because is null,
        coalesce(
            g.because,
            n.reason,
            case
                when f.is_hint and f.suppressed_by <> ''
                    then format('`%s` in line %s hides it.', f.suppressed_by, f.suppressed_at)
                when f.is_hint then 'It is a hint.'
            end,
            ''
        ),
        case when g.because is null and n.reason is null then f.suppressed_by else '' end,
        case when g.because is null and n.reason is null then f.suppressed_at end
    from found as f
    inner join assigned as a on a.tool = f.tool and a.rule = f.rule
    left join quality.weakness as w on w.cwe = f.cwe
    left join quality.weakness as k on k.cwe = w.parent
    left join lateral (
        select x.reason
        from quality.succession as x
        where
            x.tool = f.tool
            and f.rule ~ x.rule
            and exists (select from latest as l where l.tool = x.successor and l.status = 'ok')
            and (not x.only_modelled or coalesce(w.is_modelled, false) or coalesce(k.is_modelled, false))
            and (
                not x.same_name or exists (
                    select from found as o
                    where o.tool = x.successor
                        and o.name = f.name
                        and f.name <> ''
                        and o.line between f.line and coalesce(f.end_line, f.line)
                        -- Calls in each other may lack the same name: the innermost call around the place is meant.
                        and not exists (
                            select from found as i
                            where i.tool = f.tool
                                and i.name = f.name
                                and i.line > f.line
                                and o.line between i.line and coalesce(i.end_line, i.line)
                        )
                )
            )
        limit 1
    ) as n on true
    left join lateral (
        select format(
            '%s has waived it until %s: %s', projects.principal_name(x.granted_by), x.expires_at::date, x.reason
        ) as because
        from quality.waiver as x
        inner join quality.file_version as v on v.project_id = x.project_id and v.path = x.path
        where v.id = p_file_version_id and x.what = f.fingerprint and x.expires_at > core.now()
        limit 1
    ) as g on true
    order by f.line, f.tool, f.rule, f.id;
$function$;
comment on function quality.findings(bigint) is
'Lists the findings from the last scan of a file by each checker. Argument p_file_version_id: id of the version of the '
'file. Returns for each finding: the columns of the finding; its category and OWASP class; true if the finding affects '
'the score; the reason if the finding does not affect the score; the word in the file that hides the finding (empty if '
'there is none, or if the finding would not count without the word); the line of the word.';
grant execute on function quality.findings to qm_reader;
