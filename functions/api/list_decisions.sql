-- api.list_decisions: what was allowed and denied lately, to whom, and by which rule; executable by operators.
-- Definer because names of principals are for administrators.
create or replace function api.list_decisions(entries integer default 100, denied boolean default true)
returns table (
    decided_at timestamptz, principal text, toolset text, door text, kind text, name text, is_allowed boolean, version integer, rule integer, reason text
)
language sql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select d.decided_at, p.name, d.toolset, d.door, d.kind, d.name, d.is_allowed, d.version_id, d.rule, d.reason
    from policy.decision as d
    inner join policy.principal as p on p.id = d.principal_id
    where policy.require_principal() is not null and (not list_decisions.denied or not d.is_allowed)
    order by d.decided_at desc, d.id desc
    limit list_decisions.entries;
$function$;
comment on function api.list_decisions(integer, boolean) is 'Arguments: how many at most; denied ones only. The newest first.';
