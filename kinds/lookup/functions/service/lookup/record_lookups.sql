-- service.record_lookups: if the table or the principal of a lookup has been deleted, the lookup is skipped.
-- selection.learn cannot learn from lookups, because their outcomes are unknown. Therefore, learned_at is set
-- immediately.
-- Writes: selection.receipt.
create or replace function service.record_lookups(requests jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_count integer;
begin
    insert into selection.receipt (
        created_at, principal_id, kind, origin, goal, goal_hash, mode, offered, duration_ms, stages, door, request_id,
        detail, learned_at
    )
    select
        q.at,
        p.id,
        'lookup',
        t.name,
        left(q.query, 1000),
        decode(q.query_hash, 'hex'),
        q.profile,
        q.offered,
        q.duration_ms,
        jsonb_build_object('cached', q.is_cached),
        q.door,
        left(q.request_id, 128),
        jsonb_strip_nulls(
            jsonb_build_object('k', q.k, 'match', coalesce(q.match, false), 'error', q.error, 'shadow', q.shadow)
        ),
        q.at
    from jsonb_to_recordset(record_lookups.requests) as q (
        at timestamptz, "table" text, principal_id bigint, door text, request_id text, query_hash text, query text,
        k integer, profile text, offered jsonb, match boolean, error text, is_cached boolean, duration_ms real,
        shadow jsonb
    )
    inner join policy.principal as p on p.id = q.principal_id
    left join lookup.lookup_table as t on t.name = q."table"
    where q."table" is null or t.id is not null;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function service.record_lookups(jsonb) is
'Writes records (receipts) of lookups that the service answered. Argument requests: JSON array with an object for each '
'query. The members of this object are at (time of the query), table (null: all tables were searched, and no table had '
'a row), principal_id, door, request_id, query_hash (hexadecimal), query, k, profile, offered: [{rank, name, score, '
'scores: {channel: score}}], match, error, is_cached, duration_ms, shadow: {profile, key, score, match, ms}. Returns '
'how many receipts were written. Raises 22P02 and 23514 for malformed values.';
grant execute on function service.record_lookups to qm_service;
