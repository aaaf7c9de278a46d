create or replace function catalog.networks_of(p_origin text)
returns text[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(array_agg(distinct a.value order by a.value), '{}')
    from catalog.allowance as a
    where a.kind = 'network' and (a.origin is null or a.origin = p_origin);
$function$;
comment on function catalog.networks_of(text) is
'Lists the non-public networks to which an origin may connect. Argument p_origin: name of the origin. Returns the '
'networks in CIDR notation.';
