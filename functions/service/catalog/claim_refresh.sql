-- service.claim_refresh: two processes never claim the same refresh.
-- Writes: catalog.refresh.
create or replace function service.claim_refresh(instance uuid)
returns table (refresh_id bigint, origin_id bigint)
language sql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    update catalog.refresh as r
    set status = 'running', started_at = core.now(), instance_id = claim_refresh.instance
    where r.id = (
        select w.id
        from catalog.refresh as w
        where w.status = 'requested'
        order by w.requested_at, w.id
        limit 1
        for update skip locked
    )
    returning r.id, r.origin_id;
$function$;
comment on function service.claim_refresh(uuid) is
'Assigns the oldest waiting refresh (a request to read an origin''s lists of items again) to the calling process. '
'Argument instance: id of the calling process. Returns the id of the refresh and the id of the origin. Returns no row '
'if no refresh is waiting.';
grant execute on function service.claim_refresh to qm_operator;
