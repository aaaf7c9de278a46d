-- api.call_begin: may this tool be called, and a row that says so, before the network is touched.
-- Commit it before the request goes out; api.call_end completes it.
-- A denial is returned, not raised, so that it is kept (policy.decision); for the caller it looks like a tool that is not there.
-- Definer because the call log is written here and in api.call_end only.
-- Raises: QM409 origin_not_callable, tool_withheld.  Writes: proxy.call, proxy.breaker, policy.decision.
create or replace function api.call_begin(
    name text, argument_bytes integer, request_id text, instance uuid, receipt bigint default null, key uuid default null
)
returns table (
    call_id bigint, origin_id bigint, origin text, tool text, version integer, content_hash text, input_schema jsonb,
    unavailable_until timestamptz, unavailable_because text
)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_principal_id constant bigint := policy.require_principal();
    v_tool record;
    v_is_allowed boolean;
    v_call_id bigint;
    v_unavailable_until timestamptz;
    v_unavailable_because text;
begin
    select t.*, o.name as origin, o.transport, policy.is_visible(t.rights_class, (select policy.visible_classes())) as is_visible,
        exists (select from proxy.breaker as b where b.origin_id = o.id and b.state <> 'closed') as is_guarded
    into v_tool
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    where t.callable_name = call_begin.name
        and t.is_live;
    if v_tool.id is not null then
        v_is_allowed := policy.log_decision('call', 'tool', v_tool.id, v_tool.callable_name, v_tool.rights_class) and v_tool.is_visible;
    end if;
    if v_is_allowed is not true then
        perform catalog.refuse_withheld(call_begin.name);
        return next;
        return;
    end if;
    if v_tool.transport = 'none' then
        perform core.fail('origin_not_callable', format('the origin %L is in the catalog, but not connected', v_tool.origin));
    end if;

    insert into proxy.call (key, started_at, principal_id, instance_id, request_id, receipt_id, origin_id, tool_id, tool_version, argument_bytes)
    select
        call_begin.key, core.now(), v_principal_id, call_begin.instance, call_begin.request_id,
        -- Somebody else's receipt is no error, it is just not this call's.
        (select r.id from selection.receipt as r where r.id = call_begin.receipt and r.principal_id = v_principal_id),
        v_tool.origin_id, v_tool.id, v_tool.version, call_begin.argument_bytes
    returning id into v_call_id;
    if v_tool.is_guarded then
        select g.unavailable_until, g.unavailable_because into v_unavailable_until, v_unavailable_because
        from proxy.pass_breaker(v_tool.origin_id, v_call_id) as g;
    end if;

    return query
    select
        v_call_id, v_tool.origin_id, v_tool.origin::text, v_tool.name::text, v_tool.version, encode(v_tool.content_hash, 'hex'),
        v_tool.input_schema, v_unavailable_until, v_unavailable_because;
end
$function$;
comment on function api.call_begin(text, integer, text, uuid, bigint, uuid) is
'Begins a call. Arguments: callable name, size of the arguments in bytes, request id, id of the relaying process, receipt of the search it came from, key under which the process keeps its record should the database go away. Returns the call''s id, the origin, the tool''s own name and version, and the schema its arguments must satisfy; until when and why its origin is not to be called (end the call as unavailable then), nulls where it is; a row of nulls where there is no such tool that you may use.';
