-- Writes: catalog.origin.
create or replace function api.set_start_limit(origin text, start_limit_s integer)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
begin
    perform policy.require_principal();
    v_origin_id := catalog.origin_id(set_start_limit.origin);
    perform catalog.check_start_limit(set_start_limit.origin, set_start_limit.start_limit_s);
    update catalog.origin as o set start_limit_s = set_start_limit.start_limit_s where o.id = v_origin_id;
    perform catalog.begin_anew(v_origin_id);
    return set_start_limit.start_limit_s;
end
$function$;
comment on function api.set_start_limit(text, integer) is
'Sets the longest time that the server of an origin may take to start, and restarts the server. Arguments: origin: '
'name of the origin; start_limit_s: number of seconds, from 1 to 86400, or null (the settings of the service decide). '
'Returns the number of seconds. Raises QM404 origin_not_found, QM422 origin_invalid. Can be null: start_limit_s, '
'result.';
grant execute on function api.set_start_limit to qm_operator;
