-- catalog.apply_repairs: a repair decides nothing: a tool that is offered stays offered, and one that waits or is in
-- quarantine stays so. If somebody approved a tool by hand although the scan found something, this holds for the
-- repaired version, too, because the texts of a repair are scanned before it is stored. The terms for calls go with the
-- tool, because its server is the same.
-- Writes: catalog.item, catalog.item_version, catalog.finding, cards, calls.terms.
-- Announces: qm_catalog.
create or replace function catalog.apply_repairs(
    p_origin_id bigint, p_tool text, p_reason text, p_principal_id bigint
)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_ids bigint[];
    v_versions integer[];
    v_schemas jsonb[];
    v_approved bigint[];
    v_problem text;
begin
    select
        array_agg(i.id order by i.id),
        array_agg(i.version order by i.id),
        array_agg(i.definition -> 'input_schema' order by i.id),
        coalesce(array_agg(i.id) filter (where i.is_live and v.approved_by is not null), '{}')
    into v_ids, v_versions, v_schemas, v_approved
    from catalog.item as i
    inner join catalog.item_version as v on v.item_id = i.id and v.version = i.version
    where i.origin_id = p_origin_id
        and i.kind = 'tool'
        and i.deprecated_at is null
        and (p_tool is null or i.name = p_tool);

    select string_agg(format('%s: %s', p.name, p.reason), '; ')
    into v_problem
    from (
        select
            i.is_live,
            array_agg(o.name order by i.id) as origins,
            array_agg(coalesce(i.definition #> '{repair,listed}', i.definition) order by i.id) as definitions
        from catalog.item as i
        inner join catalog.origin as o on o.id = i.origin_id
        where i.id = any(v_ids)
        group by i.is_live
    ) as g
    cross join lateral catalog.put_items('tool', g.origins, g.definitions, g.is_live) as p
    where p.outcome = 'rejected';
    if v_problem is not null then
        perform core.fail('repair_invalid', v_problem);
    end if;

    select calls.unknown_argument(s.terms, i.definition -> 'input_schema')
    into v_problem
    from unnest(v_ids, v_schemas) as b (id, input_schema)
    inner join catalog.item as i on i.id = b.id
    inner join calls.terms as s on s.item_id = b.id
    where calls.unknown_argument(s.terms, b.input_schema) is null
        and calls.unknown_argument(s.terms, i.definition -> 'input_schema') is not null
    limit 1;
    if v_problem is not null then
        perform core.fail(
            'repair_invalid',
            format('the terms for calls name an argument that would be renamed or hidden: %s', v_problem),
            null,
            'Change the terms first: qm tool terms NAME.'
        );
    end if;
    update calls.terms as s
    set version = i.version
    from unnest(v_ids, v_versions) as b (id, version)
    inner join catalog.item as i on i.id = b.id
    where s.item_id = b.id and s.version = b.version and s.version <> i.version;

    perform catalog.decide_items(array_agg(i.id), 'approved', p_reason, p_principal_id)
    from unnest(v_ids, v_versions) as b (id, version)
    inner join catalog.item as i on i.id = b.id and i.version <> b.version
    where i.id = any(v_approved)
    having count(*) > 0;
    perform catalog.announce_items(v_ids);
end
$function$;
comment on function catalog.apply_repairs(bigint, text, text, bigint) is
'Brings the stored definitions of tools in line with the current repairs. Arguments: p_origin_id: id of the origin; '
'p_tool: the origin''s own name of the tool (null: all tools of the origin); p_reason: reason for the change; '
'p_principal_id: id of the operator. Announces the change on channel qm_catalog. Raises QM422 repair_invalid if a '
'repaired definition cannot be stored, or if the terms for calls name an argument that is gone.';
