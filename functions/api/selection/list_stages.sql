create or replace function api.list_stages(receipts bigint[])
returns table (receipt bigint, stages jsonb)
language sql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select r.id, r.stages
    from selection.receipt as r
    where r.id = any(list_stages.receipts)
    order by r.id;
$function$;
comment on function api.list_stages(bigint[]) is
'Lists how long each stage of a search took in the database, for evaluations. The receipt (record) of the search '
'contains these times. Argument receipts: ids of receipts. Returns for each receipt that the caller may see its id, '
'and a JSON object with these members: pool_ms: milliseconds for finding candidates; value_ms: milliseconds for '
'computing the values by which candidates are ranked (utility); choose_ms: milliseconds for choosing the cards '
'(diversity and budget); report_ms: milliseconds for the report; cached: whether the candidates came from the cache; '
'reranker: name of the reranker.';
alter function api.list_stages owner to qm_reader;
grant execute on function api.list_stages to qm_user;
