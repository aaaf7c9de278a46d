-- Definer: the rules for resources may hide the instructions (a row of catalog.item) from the caller. The function
-- still returns them, because everybody who may use the endpoint of the origin may read its instructions.
create or replace function service.get_instructions(origin text)
returns jsonb
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
begin
    perform policy.require_principal();
    v_origin_id := catalog.origin_id(get_instructions.origin);
    return (
        select i.definition
        from catalog.item as i
        inner join search.kind as k on k.name = i.kind and k.describes_origin
        where i.origin_id = v_origin_id and i.is_live
    );
end
$function$;
comment on function service.get_instructions(text) is
'Reads the instructions that an origin gives its clients. Argument origin: name of the origin. Returns JSON with four '
'members: server (name of the server), title, description, and instructions. The instructions are exactly as the '
'server gave them. Returns null while the instructions are unknown, are waiting for approval, or are in quarantine. '
'Raises QM404 origin_not_found.';
grant execute on function service.get_instructions to qm_operator;
