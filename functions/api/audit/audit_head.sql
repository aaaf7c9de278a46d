-- api.audit_head: returns the end of the audit chain to the service, which signs it.
-- The function runs with the rights of its owner (security definer), because only administrators may read records.
-- Operators may execute it.
create or replace function api.audit_head()
returns table (record_id bigint, hash bytea, is_signed boolean)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select r.id, r.hash, exists (select from audit.signature as s where s.record_id = r.id)
    from audit.record as r
    order by r.id desc
    limit 1;
$function$;
comment on function api.audit_head() is
'Returns the id and hash of the newest record, and whether it is signed. Returns no row while the chain is empty.';
grant execute on function api.audit_head to qm_operator;
