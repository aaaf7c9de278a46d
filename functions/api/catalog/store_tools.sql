-- api.store_tools: one batch of the tools that a running refresh has read. Commit each batch: what is stored stays, whatever follows.
-- Definer because the catalog is written by its own functions only; executable by operators.
-- What changed waits for approval where the origin's approval says so.
-- Raises: QM404 refresh_not_found, QM422 tools_invalid.  Writes: catalog.refresh, catalog.tool, catalog.tool_version, cards.
create or replace function api.store_tools(refresh_id bigint, tools jsonb)
returns table (added integer, changed integer, unchanged integer, rejected integer, withheld integer)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_origin text;
    v_rejected jsonb;
begin
    perform policy.require_principal();
    if jsonb_typeof(store_tools.tools) is distinct from 'array' then
        perform core.fail('tools_invalid', 'the batch of tools is not a JSON array');
    end if;
    select o.name into v_origin
    from catalog.refresh as r
    inner join catalog.origin as o on o.id = r.origin_id
    where r.id = store_tools.refresh_id and r.status = 'running'
    for update of r;
    if v_origin is null then
        perform core.fail('refresh_not_found', format('there is no running refresh %s', store_tools.refresh_id));
    end if;

    select
        count(*) filter (where p.outcome = 'added'),
        count(*) filter (where p.outcome = 'changed'),
        count(*) filter (where p.outcome = 'unchanged'),
        count(*) filter (where p.outcome = 'rejected'),
        count(*) filter (where p.outcome in ('added', 'changed') and p.reason is not null),
        coalesce(jsonb_agg(jsonb_build_object('name', p.name, 'reason', p.reason)) filter (where p.outcome = 'rejected'), '[]')
    into added, changed, unchanged, rejected, withheld, v_rejected
    from catalog.put_tools(
        (
            select coalesce(jsonb_agg(case when jsonb_typeof(e.tool) = 'object' then e.tool || jsonb_build_object('origin', v_origin) else e.tool end), '[]')
            from jsonb_array_elements(store_tools.tools) as e (tool)
        ),
        p_by_hand => false
    ) as p;

    update catalog.refresh as r
    set
        added = r.added + store_tools.added,
        changed = r.changed + store_tools.changed,
        unchanged = r.unchanged + store_tools.unchanged,
        withheld = r.withheld + store_tools.withheld,
        rejected = r.rejected || v_rejected
    where r.id = store_tools.refresh_id;
    return next;
end
$function$;
comment on function api.store_tools(bigint, jsonb) is
'Arguments: running refresh; array of {name, title, description, input_schema, output_schema, annotations, categories, examples, extra}. Returns how many were added, changed, unchanged and rejected, and how many of the new and changed ones wait or are in quarantine; the rejected ones stand in the refresh with their reason.';
grant execute on function api.store_tools to qm_operator;
