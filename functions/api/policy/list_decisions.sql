-- api.list_decisions: allowed calls are read from their rows in calls.call, as long as these rows are kept. The newest
-- calls have the highest ids, and the index of each day's partition returns them in order.
create or replace function api.list_decisions(entries integer default 100, denied boolean default true)
returns table (
    decided_at timestamptz,
    principal text,
    toolset text,
    door text,
    kind text,
    name text,
    is_allowed boolean,
    version integer,
    rule integer,
    reason text
)
language sql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    with kept as (
        select
            d.decided_at, d.principal_id, d.toolset, d.door, d.kind, d.name, d.is_allowed, d.version_id, d.rule,
            d.reason
        from policy.decision as d
        where not list_decisions.denied or not d.is_allowed
        order by d.decided_at desc, d.id desc
        limit list_decisions.entries
    ),

    called as (
        select c.started_at, c.principal_id, c.toolset, c.kind, c.ref, c.rule_version_id, c.rule
        from calls.call as c
        where not list_decisions.denied and c.rule_version_id is not null
        order by c.id desc
        limit list_decisions.entries
    ),

    decided as (
        select k.*
        from kept as k
        union all
        select
            c.started_at, c.principal_id, c.toolset, 'call', i.kind, i.public_name, true, c.rule_version_id, c.rule,
            policy.rule_words(r, v.default_effect)
        from called as c
        inner join catalog.item as i on i.id = c.ref and i.kind = c.kind
        inner join policy.rule_version as v on v.id = c.rule_version_id
        left join policy.rule as r on r.version_id = c.rule_version_id and r.position = c.rule
    )

    select d.decided_at, p.name, d.toolset, d.door, d.kind, d.name, d.is_allowed, d.version_id, d.rule, d.reason
    from decided as d
    inner join policy.principal as p on p.id = d.principal_id
    where policy.require_principal() is not null
    order by d.decided_at desc
    limit list_decisions.entries;
$function$;
comment on function api.list_decisions(integer, boolean) is
'Lists requests that the access rules allowed or denied, the newest first. Example: `select decided_at, principal, '
'name, reason from list_decisions(10);` An allowed tool call is listed as long as the call log keeps the row of the '
'call. Arguments: entries: maximum number of requests to return; denied: true to list only denied requests. Returns '
'for each request: the time; the principal; the toolset of the session (null: no toolset); the type of the request '
'(door): call or describe; the kind and name of the requested card; whether access was allowed; the version of the '
'rules; the position that the deciding rule has in this version; and the reason. Can be null: toolset, rule.';
grant execute on function api.list_decisions to qm_operator;
