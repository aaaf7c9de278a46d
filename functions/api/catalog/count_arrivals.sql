-- api.count_arrivals: a search that finds nothing reports these numbers. Origins that the caller may not see are not
-- counted.
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
            and exists (
                select from catalog.refresh as r where r.origin_id = o.id and r.status in ('requested', 'running')
            )
    );
    if installing + listing > 0 then
        hint := format(
            'More tools will be available soon (servers being installed: %s, being listed: %s). Search again in a '
            'moment.',
            installing,
            listing
        );
    end if;
end
$function$;
comment on function api.count_arrivals() is
'Counts servers that are being added. Returns: the number of servers that are being installed; the number of origins '
'whose items are being read for the first time; and a sentence with both numbers (null if both are 0). Can be null: '
'hint.';
grant execute on function api.count_arrivals to qm_user, qm_reader;
