create or replace function api.show_decision(id bigint)
returns jsonb
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_shown jsonb;
begin
    perform policy.require_principal();
    select decisions.as_json(d, true) || jsonb_build_object(
        'links', coalesce(
            (
                select jsonb_agg(
                    jsonb_strip_nulls(jsonb_build_object(
                        'kind', case when l.kind = 'supersedes' and l.to_id = d.id then 'superseded by' else l.kind end,
                        'decision', o.id,
                        'pattern', o.pattern,
                        'status', o.status,
                        'resolved_at', l.resolved_at
                    ))
                    order by l.kind, o.id
                )
                from decisions.link as l
                inner join decisions.decision as o on o.id = l.from_id + l.to_id - d.id
                where d.id in (l.from_id, l.to_id)
            ),
            '[]'
        ),
        'reviews', coalesce(
            (
                select jsonb_agg(
                    jsonb_strip_nulls(jsonb_build_object(
                        'at', r.at,
                        'by', projects.principal_name(r.principal_id),
                        'action', r.action,
                        'reason', nullif(r.reason, ''),
                        'commit', r.commit_hash,
                        'before', nullif(r.before, '{}'),
                        'after', nullif(r.after, '{}')
                    ))
                    order by r.id
                )
                from decisions.review as r
                where r.decision_id = d.id
            ),
            '[]'
        ),
        'outcomes', coalesce(
            (
                select jsonb_object_agg(c.outcome, c.number)
                from (
                    select o.outcome, count(*) as number
                    from decisions.outcome as o
                    where o.decision_id = d.id
                    group by o.outcome
                ) as c
            ),
            '{}'
        )
    )
    into v_shown
    from decisions.decision as d
    where d.id = show_decision.id;
    if v_shown is null then
        perform core.fail(
            'decision_not_found', format('there is no decision %s, or you may not see it', show_decision.id)
        );
    end if;
    return v_shown;
end
$function$;
comment on function api.show_decision(bigint) is
'Shows a decision. Example: `select jsonb_pretty(show_decision(id)) from decisions limit 1;` Argument id: id of the '
'decision. Returns a JSON object with the members that api.find_decisions returns with excerpts, and three further '
'members. links: the decisions that say the same thing or contradict this decision, and whether a curator has resolved '
'the contradiction. reviews: what curators did with the decision, when and why. outcomes: how many later commits '
'followed the decision (followed), violated it (violated), or were not affected by it (not_applicable). Raises QM404 '
'decision_not_found.';
alter function api.show_decision owner to qm_reader;
grant execute on function api.show_decision to qm_user;
