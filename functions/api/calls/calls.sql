-- api.calls: the view api.calls reads it. Row policies hide the calls of others, and the names of what rules hide now.
-- An error may quote the name, so it is shown with the name or not at all. A read is recorded without the id of its
-- item, so its item is found by its own name.
create or replace function api.calls(since timestamptz default '-infinity')
returns table (
    id bigint,
    started_at timestamptz,
    principal text,
    name text,
    outcome text,
    duration_ms real,
    failure text,
    method text,
    kind text,
    origin text,
    receipt bigint,
    toolset text,
    answered_by text,
    attempts integer,
    argument_bytes integer,
    result_bytes bigint,
    request_id text
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        c.id,
        c.started_at,
        p.name,
        n.name,
        c.outcome,
        c.duration_ms,
        case when n.name is not null then c.failure end,
        c.method,
        c.kind,
        o.name,
        c.receipt_id,
        c.toolset,
        c.answered_by,
        c.attempts,
        c.argument_bytes,
        c.result_bytes,
        c.request_id
    from calls.call as c
    left join policy.principal as p on p.id = c.principal_id
    left join catalog.item as i on i.kind = c.kind and i.id = c.ref
    left join catalog.item as a on a.kind = c.kind and a.origin_id = c.origin_id and a.name = c.target and c.ref is null
    left join search.card as d on d.kind = c.kind and d.ref = c.ref
    cross join lateral (select coalesce(i.public_name, a.public_name, d.name) as name) as n
    left join catalog.origin as o on o.id = coalesce(c.origin_id, i.origin_id)
    where c.started_at >= calls.since
    order by c.id desc;
$function$;
comment on function api.calls(timestamptz) is
'Lists calls of tools, reads of resources and prompts, and reported uses of cards, the newest first, for the view '
'api.calls. Users and operators see their own calls, and administrators see all calls. Argument since: list only calls '
'that started at this time or later (default: all that are kept). Returns for each call: its id and start; the '
'principal; the name of what was called (null: it no longer exists, or the caller may not see it now); the outcome, '
'the duration in milliseconds, and the error (only with the name); the method of the protocol; the kind and the origin '
'of what was called; the receipt of the search that found it; the toolset; who answered (upstream, or cache or key for '
'a stored answer); how often the upstream may have received the request; the sizes in bytes; and the id of the '
'request. Can be null: name, duration_ms, failure, kind, origin, receipt, toolset, result_bytes, '
'principal.';
alter function api.calls owner to qm_reader;
grant execute on function api.calls to qm_user;
