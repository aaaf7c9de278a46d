create or replace function catalog.served_origin_id(p_name text)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id constant bigint := catalog.origin_id(p_name);
    v_transport text;
    v_is_off boolean;
begin
    select o.transport, o.meta ? 'off' into v_transport, v_is_off from catalog.origin as o where o.id = v_origin_id;
    if v_transport = 'none' and v_is_off then
        perform core.fail(
            'origin_not_callable',
            format('the origin %L is off', p_name),
            p_hint => 'Switch it on with: qm origin enable NAME.'
        );
    end if;
    if v_transport = 'built-in' then
        perform core.fail(
            'origin_not_callable',
            format('the origin %L is a part of Quartermaster', p_name),
            p_hint => 'Its tools need not be read again.'
        );
    end if;
    if v_transport = 'none' then
        perform core.fail(
            'origin_not_callable', format('the origin %L has no server from which tools could be read', p_name)
        );
    end if;
    return v_origin_id;
end
$function$;
comment on function catalog.served_origin_id(text) is
'Finds an origin that has a server. Argument p_name: name of the origin. Returns the id of the origin. Raises QM404 '
'origin_not_found, or QM409 origin_not_callable if the origin has no server.';
