-- service.put_door: in the catalog, the tools belong to an origin that has the name of the door, so searches find them
-- and rules decide about them. The service stores each of its doors at every start.
-- Writes: catalog.origin, catalog.item, catalog.item_version, catalog.finding, cards.
create or replace function service.put_door(name text, description text, tools jsonb)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kind constant text := search.default_kind();
    v_origin_id bigint;
    v_definitions jsonb[];
    v_changed bigint;
    v_rejected text;
begin
    perform policy.require_service();
    if put_door.tools = '[]' then
        perform catalog.remove_origin(o.id)
        from catalog.origin as o
        where o.name = put_door.name and o.transport = 'built-in' and o.status <> 'removed';
        return null;
    end if;
    insert into catalog.origin as o (name, slug, description, transport, status, refreshed_at)
    values (put_door.name, catalog.origin_slug(put_door.name), put_door.description, 'built-in', 'ready', core.now())
    on conflict on constraint origin_name_key do update
    set
        description = excluded.description,
        transport = excluded.transport,
        command = '{}',
        url = null,
        cwd = null,
        environment = '{}',
        headers = '{}',
        auth_reference = null,
        tls = '{}',
        auth = '{}',
        sandbox = '{}',
        status = excluded.status,
        failure_class = null,
        failure = null,
        refreshed_at = excluded.refreshed_at
    where o.transport = 'built-in' or o.status = 'removed'
    returning o.id into v_origin_id;
    if v_origin_id is null then
        perform core.fail(
            'origin_exists',
            format(
                'an origin called %L already exists, but Quartermaster needs this name for tools of its own',
                put_door.name
            ),
            null,
            format('Add that origin''s server again under another name, then run: qm origin remove %s', put_door.name)
        );
    end if;

    v_definitions := array(
        select e.tool
        from jsonb_array_elements(put_door.tools) with ordinality as e (tool, position)
        order by e.position
    );
    select
        count(*) filter (where p.outcome <> 'unchanged'),
        min(format('%s: %s', p.name, p.reason) collate core.c_utf8) filter (where p.outcome = 'rejected')
    into v_changed, v_rejected
    from catalog.put_items(v_kind, array_fill(put_door.name, array[cardinality(v_definitions)]), v_definitions) as p;
    if v_rejected is not null then
        perform core.fail(
            'tools_invalid', format('%s has a tool that cannot be stored: %s', put_door.name, v_rejected)
        );
    end if;
    if v_changed + catalog.deprecate_items(v_origin_id, array[v_kind], core.now()) > 0 then
        perform pg_notify('qm_catalog', v_origin_id::text);
    end if;
    return v_origin_id;
end
$function$;
comment on function service.put_door(text, text, jsonb) is
'Stores the tools of a door, which is an MCP server that a package adds to the service. (It runs in the service''s '
'process.) Arguments: name: name of the door, which is also the name of an origin in the catalog; description: what '
'the tools are for; tools: definitions of all tools of the door, in the form that service.store_items takes ([]: '
'the door is closed, so its origin is removed). Returns the id of the origin (null: the door is closed). Announces '
'changes on channel qm_catalog. Raises QM403 service_required, QM409 origin_exists, QM422 tools_invalid. Can be null: '
'result.';
grant execute on function service.put_door to qm_service, qm_operator;
