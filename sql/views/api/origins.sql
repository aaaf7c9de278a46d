create or replace view api.origins with (security_invoker = true) as
select
    o.name,
    o.status,
    o.transport,
    o.items,
    o.refreshed_at,
    o.failure,
    o.unavailable_until,
    o.unavailable_because,
    o.failure_class,
    o.protocol_version,
    o.description
from api.list_origins() as o;
comment on view api.origins is
'Origins (servers) that you may see, with their state. Example: `select name, status, items, failure from origins;`';
comment on column api.origins.name is 'The name of the origin.';
comment on column api.origins.status is 'new, ready or failing.';
comment on column api.origins.transport is
'How the origin is reached: stdio, http, sse, built-in, or none (a catalog entry that cannot be called).';
comment on column api.origins.items is 'How many items of each kind it offers to you: {kind: number}.';
comment on column api.origins.refreshed_at is 'The time of its last refresh; null if it was never read.';
comment on column api.origins.failure is 'Why its last refresh failed; null if it did not fail.';
comment on column api.origins.unavailable_until is
'The time until which you cannot call it, because a circuit breaker is open; null if you can.';
comment on column api.origins.unavailable_because is 'Why the circuit breaker is open; null if none is.';
comment on column api.origins.failure_class is 'The class of the last failure; null if there is none.';
comment on column api.origins.protocol_version is 'The version of the protocol that it speaks; null if it is unknown.';
comment on column api.origins.description is 'What the origin is for.';
grant select on api.origins to qm_user;
