-- api.list_unanswered_lookups: the table may need aliases for these strings.
-- Definer: operators see only their own rows of selection.receipt. From the other rows, they get queries without an
-- answer, but not who asked, and only for a lookup table that they may see (lookup.require_table).
create or replace function api.list_unanswered_lookups(
    lookup text, since timestamptz default null, maximum integer default 50
)
returns table (query text, query_hash text, times bigint, last_at timestamptz)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_since constant timestamptz := coalesce(list_unanswered_lookups.since, core.now() - interval '30 days');
begin
    perform lookup.require_table(list_unanswered_lookups.lookup);
    return query
    select max(r.goal), encode(r.goal_hash, 'hex') collate core.c_utf8, count(*), max(r.created_at)
    from selection.receipt as r
    where r.kind = 'lookup'
        and r.origin = list_unanswered_lookups.lookup
        and r.goal_hash is not null
        and r.created_at >= v_since
        and not r.detail ? 'error'
        and r.offered = '[]'
    group by r.goal_hash
    order by 3 desc, 4 desc, 2
    limit greatest(list_unanswered_lookups.maximum, 0);
end
$function$;
comment on function api.list_unanswered_lookups(text, timestamptz, integer) is
'Lists strings for which a lookup table had no row, most frequent first. Arguments: lookup: name of the lookup table; '
'since: start of the period (default: 30 days ago); maximum: maximum number of rows to return. Returns for each '
'string: the string itself (null: the string was not stored, because of the setting lookup.keep_queries of the '
'service); the hash of the string; how often the string was looked up; and when the string was last looked up. Raises '
'QM404 unsupported_table. Can be null: query.';
grant execute on function api.list_unanswered_lookups to qm_operator;
