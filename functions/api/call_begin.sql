-- api.call_begin: may this tool be called, and a row that says so, before the network is touched.
-- Commit it before the request goes out; api.call_end completes it.
-- Definer because the call log is written here and in api.call_end only.
-- Raises: QM404 tool_not_found, QM409 origin_not_callable, tool_withheld.  Writes: proxy.call.
create or replace function api.call_begin(
    name text, argument_bytes integer, request_id text, instance uuid, receipt bigint default null
)
returns table (
    call_id bigint, origin_id bigint, origin text, tool text, version integer, content_hash text, input_schema jsonb
)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_principal_id constant bigint := policy.require_principal();
    v_tool record;
    v_call_id bigint;
begin
    select t.*, o.name as origin, o.transport into v_tool
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    where t.callable_name = call_begin.name
        and t.is_live
        and policy.is_visible('tool', t.id, v_principal_id);
    if v_tool.id is null then
        perform catalog.refuse_withheld(call_begin.name);
        perform core.fail('tool_not_found', format('there is no tool called %L', left(call_begin.name, 200)));
    end if;
    if v_tool.transport = 'none' then
        perform core.fail('origin_not_callable', format('the origin %L is in the catalog, but not connected', v_tool.origin));
    end if;

    insert into proxy.call (started_at, principal_id, instance_id, request_id, receipt_id, tool_id, tool_version, argument_bytes)
    select
        core.now(), v_principal_id, call_begin.instance, call_begin.request_id,
        -- Somebody else's receipt is no error, it is just not this call's.
        (select r.id from selection.receipt as r where r.id = call_begin.receipt and r.principal_id = v_principal_id),
        v_tool.id, v_tool.version, call_begin.argument_bytes
    returning id into v_call_id;

    return query
    select
        v_call_id, v_tool.origin_id, v_tool.origin::text, v_tool.name::text, v_tool.version, encode(v_tool.content_hash, 'hex'),
        v_tool.input_schema;
end
$function$;
comment on function api.call_begin(text, integer, text, uuid, bigint) is
'Begins a call. Arguments: callable name, size of the arguments in bytes, request id, id of the relaying process, receipt of the search it came from. Returns the call''s id, the origin, the tool''s own name and version, and the schema its arguments must satisfy.';
