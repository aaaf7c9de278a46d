-- api.claim_refresh: takes the oldest waiting refresh. Two processes never take the same one.
-- Definer because only the catalog's own functions may write the queue; executable by operators.
-- Writes: catalog.refresh.
create or replace function api.claim_refresh(instance uuid)
returns table (refresh_id bigint, origin_id bigint)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
begin
    perform policy.require_principal();
    return query
    update catalog.refresh as r
    set status = 'running', started_at = core.now(), instance_id = claim_refresh.instance
    where r.id = (
        select w.id from catalog.refresh as w where w.status = 'requested' order by w.requested_at, w.id limit 1 for update skip locked
    )
    returning r.id, r.origin_id;
end
$function$;
comment on function api.claim_refresh(uuid) is
'Argument: id of the claiming process. Returns the refresh and its origin, or no row.';
grant execute on function api.claim_refresh to qm_operator;
