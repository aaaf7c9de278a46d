-- api.import_tools: one batch of a tools file. Origins that are new become catalog entries without a connection.
-- Nothing is deprecated: a file is no statement about what is missing from it.
-- Definer because the catalog is written by its own functions only; executable by operators.
-- Raises: QM422 tools_invalid.  Writes: catalog.origin, catalog.tool, catalog.tool_version, cards.
create or replace function api.import_tools(tools jsonb)
returns table (name text, callable_name text, outcome text, reason text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_origin record;
begin
    perform policy.require_principal();
    if jsonb_typeof(import_tools.tools) is distinct from 'array' then
        perform core.fail('tools_invalid', 'the batch of tools is not a JSON array');
    end if;
    for v_origin in
        select e.tool ->> 'origin' as name, max(e.tool ->> 'origin_description') as description
        from jsonb_array_elements(import_tools.tools) as e (tool)
        where coalesce(e.tool ->> 'origin', '') <> '' and length(e.tool ->> 'origin') <= 200
            and not exists (select from catalog.origin as o where o.name = e.tool ->> 'origin' and o.status <> 'removed')
        group by 1
        order by 1
    loop
        perform catalog.put_origin(
            v_origin.name, v_origin.description, 'none', '{}', null, null, '{}', '{}', null, '{}', '{}', false
        );
    end loop;
    return query select p.name, p.callable_name, p.outcome, p.reason from catalog.put_tools(import_tools.tools) as p;
end
$function$;
comment on function api.import_tools(jsonb) is
'Argument: array of {origin, origin_description, name, title, description, input_schema, ...}. Returns for each, in order: name, callable name, outcome (added, changed, unchanged, rejected) and reason.';
grant execute on function api.import_tools to qm_operator;
