create or replace view api.calls with (security_invoker = true) as
select
    c.id,
    c.started_at,
    c.name,
    c.outcome,
    c.duration_ms,
    c.failure,
    c.principal,
    c.origin,
    c.receipt,
    c.method,
    c.kind,
    c.toolset,
    c.answered_by,
    c.attempts,
    c.argument_bytes,
    c.result_bytes,
    c.request_id
from api.calls() as c;
comment on view api.calls is
'Calls of tools and reads of resources and prompts, the newest first: your own, or all if you are an administrator. '
'Example: `select outcome, count(*) from calls where started_at > now() - interval ''1 day'' group by outcome;` '
'Requests that a rule denied are not calls: operators find them with `select * from list_decisions();`.';
comment on column api.calls.id is 'The id of the call.';
comment on column api.calls.started_at is 'The time at which the call began.';
comment on column api.calls.name is
'The name of what was called; null if it no longer exists, or if rules hide it from you now.';
comment on column api.calls.outcome is
'pending (in progress), ok, or how it failed: failed, tool_error, invalid_arguments, timeout, cancelled, busy, auth, '
'network, died, protocol, too_large, lost, internal or unavailable.';
comment on column api.calls.duration_ms is 'How long the call took, in milliseconds; null while it is in progress.';
comment on column api.calls.failure is
'The error; null if the call did not fail, if only the answer of the tool says that it failed (tool_error), or if '
'rules hide the name from you now.';
comment on column api.calls.principal is 'Who called; null if you may not know.';
comment on column api.calls.origin is 'The origin that was called; null if rules hide it from you now.';
comment on column api.calls.receipt is
'The number of the receipt of the search that found the tool; null if there is none.';
comment on column api.calls.method is 'The method of the protocol, such as tools/call; outcome for a reported use.';
comment on column api.calls.kind is 'The kind of what was called.';
comment on column api.calls.toolset is 'The toolset through which it was called; null if none was used.';
comment on column api.calls.answered_by is 'upstream, or cache or key if a stored answer was used.';
comment on column api.calls.attempts is 'How often the origin may have received the request.';
comment on column api.calls.argument_bytes is 'The size of the arguments, in bytes.';
comment on column api.calls.result_bytes is 'The size of the result, in bytes; null if there is none.';
comment on column api.calls.request_id is 'The id of the request.';
grant select on api.calls to qm_user;
