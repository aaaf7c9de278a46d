-- Writes: decisions.link, decisions.review.
create or replace function api.resolve_decisions(
    one bigint, other bigint, reason text default '', project text default null
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform decisions.record_review(d, 'resolve', resolve_decisions.reason)
    from decisions.of_project(
        array[resolve_decisions.one, resolve_decisions.other], projects.find(resolve_decisions.project)
    ) as d;
    update decisions.link as l
    set resolved_at = core.now(), resolved_by = policy.principal_id(), reason = coalesce(resolve_decisions.reason, '')
    where l.from_id = greatest(resolve_decisions.one, resolve_decisions.other)
        and l.to_id = least(resolve_decisions.one, resolve_decisions.other)
        and l.kind <> 'supersedes';
    if not found then
        perform core.fail(
            'link_not_found',
            format('decisions %s and %s are not linked', resolve_decisions.one, resolve_decisions.other)
        );
    end if;
end
$function$;
comment on function api.resolve_decisions(bigint, bigint, text, text) is
'Records that two decisions are both valid, although they seem to contradict each other or to say the same thing. Only '
'curators of decisions may do this, and nobody can do it through the service. Arguments: one and other: ids of the two '
'decisions; reason: reason why both decisions are valid; project: the project, as NAME or OWNER/NAME (null: your only '
'project). Raises QM403 principal_unknown, decision_door_closed, decision_curator_required, QM404 project_not_found, '
'decision_not_found, link_not_found, QM409 project_ambiguous.';
grant execute on function api.resolve_decisions to qm_user;
