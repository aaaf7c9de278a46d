-- api.retain_audit: drops the audit partitions that are older than the setting audit.keep_months; run by the service's worker.
-- Definer because partitions are the owner's; executable by operators, whom the setting leaves no choice.
-- Writes: audit.cut, audit.record; drops partitions.
create or replace function api.retain_audit()
returns table (partition text, records bigint, first_id bigint, last_id bigint)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_months constant integer := core.get_setting('audit.keep_months')::integer;
begin
    perform policy.require_principal();
    if v_months > 0 then
        return query select c.* from audit.cut_partitions(v_months) as c;
    end if;
end
$function$;
comment on function api.retain_audit() is 'Returns the partitions that were dropped; none where audit.keep_months is 0.';
