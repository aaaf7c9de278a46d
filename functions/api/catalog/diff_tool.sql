-- api.diff_tool: what changed in a tool: by default from the version that was approved last to the one the origin lists now.
-- Of a tool that is new everything is.
-- Executable by operators; row policies decide which tools they see.
-- Raises: QM404 tool_not_found, tool_version_not_found.
create or replace function api.diff_tool(name text, from_version integer default null, to_version integer default null)
returns table (version_before integer, version_after integer, member text, before text, after text)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_tool_id bigint;
    v_from integer;
    v_to integer;
begin
    perform policy.require_principal();
    v_tool_id := catalog.tool_id(diff_tool.name);
    select
        coalesce(diff_tool.from_version, nullif(t.approved_version, t.version), t.version - 1),
        coalesce(diff_tool.to_version, t.version)
    into v_from, v_to
    from catalog.tool as t
    where t.id = v_tool_id;
    -- Version 0 is the nothing that was there before.
    perform from unnest(array[v_from, v_to]) as w (version)
    where w.version <> 0 and not exists (select from catalog.tool_version as v where v.tool_id = v_tool_id and v.version = w.version);
    if found then
        perform core.fail(
            'tool_version_not_found', format('the tool %L has no version %s or %s', diff_tool.name, v_from, v_to), null,
            'See its versions with: qm tool show ' || diff_tool.name
        );
    end if;
    return query
    select v_from, v_to, d.member, d.before, d.after
    from catalog.diff_versions(v_tool_id, v_from, v_to) as d;
end
$function$;
comment on function api.diff_tool(text, integer, integer) is
'Arguments: callable name; versions to compare (default: the approved one, or the one before, with the newest; 0: nothing, so that everything is new). Returns for each member that differs its path, its value before and after; null where it is absent.';
grant execute on function api.diff_tool to qm_operator;
