-- api.count_arrivals: servers that are on their way: being installed by a process that lives, or added and listed for the first time.
-- A search that finds nothing says so. Of origins that the asking principal may not see nothing is told.
-- Definer because processes and the queue of refreshes are for operators.
create or replace function api.count_arrivals(out installing bigint, out listing bigint, out hint text)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    installing := (
        select coalesce(sum(i.installing), 0)
        from core.instance as i
        where i.seen_at >= core.now() - (core.get_setting('instance.timeout') #>> '{}')::interval
    );
    listing := (
        select count(*)
        from catalog.origin as o
        where o.status = 'new'
            and policy.is_visible(o.rights_class, (select policy.visible_classes()))
            and exists (select from catalog.refresh as r where r.origin_id = o.id and r.status in ('requested', 'running'))
    );
    if installing + listing > 0 then
        hint := format('More is on its way (servers being installed: %s, being listed: %s). Ask again in a moment.', installing, listing);
    end if;
end
$function$;
comment on function api.count_arrivals() is
'How many servers are being installed, how many origins are being listed for the first time, and that as a sentence; null where nothing is on its way.';
grant execute on function api.count_arrivals to qm_user;
