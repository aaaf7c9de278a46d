-- api.served_decisions: a program calls this function to find out whether later commits followed the decisions. It
-- usually runs for another member than the one who got the decisions.
-- Definer: callers see only their own rows of selection.receipt. From the other rows, they get only the number, the
-- time and the requested path, and only for decisions of their own projects, because projects.find checks membership.
create or replace function api.served_decisions(project text default null, since timestamptz default null)
returns table (receipt bigint, served_at timestamptz, decision bigint, path text, check_definition jsonb)
language plpgsql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(served_decisions.project);
begin
    return query
    select r.id, r.created_at, d.id, o.offer #>> '{scores,path}', d.check_definition
    from selection.receipt as r
    cross join lateral jsonb_array_elements(r.offered) as o (offer)
    inner join decisions.decision as d on d.id = (o.offer ->> 'ref')::bigint and d.check_definition is not null
    where r.kind = 'decision'
        and d.project_id = v_project_id
        and (served_decisions.since is null or r.created_at >= served_decisions.since)
        and not exists (select from decisions.outcome as x where x.receipt_id = r.id and x.decision_id = d.id)
    order by r.id, d.id;
end
$function$;
comment on function api.served_decisions(text, timestamptz) is
'Lists decisions that have a check, were shown to a member of the project, and have no known outcome yet. Arguments: '
'project: the project, as NAME or OWNER/NAME (null: your only project); since: list only decisions that were shown '
'after this time. Returns for each decision: the number of the receipt (record) of the answer that showed the '
'decision; the time of this receipt; the id of the decision; the path for which decisions were requested; and the '
'check of the decision. Raises QM403 principal_unknown, QM404 project_not_found, QM409 project_ambiguous.';
grant execute on function api.served_decisions to qm_user;
