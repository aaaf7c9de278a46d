-- api.list_unanswered_lookups: strings that a lookup table was asked for and had no row for, the most frequent first: aliases that it may lack.
-- Definer because the log shows everybody their own queries only; executable by operators. The string itself is there only where it was kept.
-- Raises: QM404 unsupported_table.
create or replace function api.list_unanswered_lookups(lookup text, since timestamptz default null, maximum integer default 50)
returns table (query text, query_hash text, times bigint, last_at timestamptz)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_since constant timestamptz := coalesce(list_unanswered_lookups.since, core.now() - interval '30 days');
    v_table_id integer;
begin
    perform policy.require_principal();
    v_table_id := lookup.require_table(list_unanswered_lookups.lookup);
    return query
    select max(r.query), encode(r.query_hash, 'hex'), count(*), max(r.at)
    from lookup.request as r
    where r.table_id = v_table_id and r.at >= v_since and r.error is null and r.rows = 0
    group by r.query_hash
    order by 3 desc, 4 desc, 2
    limit greatest(list_unanswered_lookups.maximum, 0);
end
$function$;
comment on function api.list_unanswered_lookups(text, timestamptz, integer) is
'Arguments: lookup table; since (30 days ago by default); how many at most. Returns strings that found nothing (null where the setting lookup.keep_queries of the service did not keep them), their hash, how often they were asked, when last.';
grant execute on function api.list_unanswered_lookups to qm_operator;
