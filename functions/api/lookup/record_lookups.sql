-- api.record_lookups: writes down what the service was asked of lookup tables. What is of a table or principal that is gone is left out.
-- Definer because the log is written by this function only; executable by the service's login only.
-- Raises: 22P02 and 23514 where a value is none.  Writes: lookup.request.
create or replace function api.record_lookups(requests jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_count integer;
begin
    insert into lookup.request (
        at, table_id, principal_id, door, request_id, query_hash, query, k, profile, rows, key, score, match, error, is_cached, duration_ms,
        shadow_profile, shadow_key, shadow_score, shadow_match, shadow_ms
    )
    select
        q.at, t.id, p.id, q.door, left(q.request_id, 128), decode(q.query_hash, 'hex'), left(q.query, 1000), q.k, q.profile, q.rows,
        q.key, q.score, coalesce(q.match, false), q.error, q.is_cached, q.duration_ms, q.shadow_profile, q.shadow_key, q.shadow_score,
        q.shadow_match, q.shadow_ms
    from jsonb_to_recordset(record_lookups.requests) as q (
        at timestamptz, "table" text, principal_id bigint, door text, request_id text, query_hash text, query text, k integer, profile text,
        rows integer, key text, score real, match boolean, error text, is_cached boolean, duration_ms real, shadow_profile text,
        shadow_key text, shadow_score real, shadow_match boolean, shadow_ms real
    )
    inner join policy.principal as p on p.id = q.principal_id
    left join lookup.lookup_table as t on t.name = q."table"
    where q."table" is null or t.id is not null;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function api.record_lookups(jsonb) is
'Argument: array of {at, table (null: all, and none had a row), principal_id, door, request_id, query_hash (hexadecimal), query, k, profile, rows, key, score, match, error, is_cached, duration_ms, shadow_profile, shadow_key, shadow_score, shadow_match, shadow_ms}. Returns how many were written.';
grant execute on function api.record_lookups to qm_service;
