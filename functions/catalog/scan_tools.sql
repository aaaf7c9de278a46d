-- catalog.scan_tools: looks for poisoned definitions, and puts into quarantine what nobody has looked at and approved by hand.
-- Writes: catalog.finding, catalog.tool, catalog.tool_version; cards stay: call catalog.show_tools.
create or replace function catalog.scan_tools(p_tool_ids bigint[])
returns table (findings integer, quarantined bigint[])
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_tools bigint[];
    v_versions integer[];
    v_members text[];
    v_texts text[];
begin
    delete from catalog.finding as f
    using catalog.tool as t
    where f.tool_id = any(p_tool_ids) and t.id = f.tool_id and f.version = t.version and f.rule <> 'near_duplicate';

    select array_agg(d.tool_id), array_agg(d.version), array_agg(d.member), array_agg(d.text)
    into v_tools, v_versions, v_members, v_texts
    from catalog.definition_texts(p_tool_ids) as d;
    insert into catalog.finding (tool_id, version, rule, member, severity, evidence, found_at)
    select d.tool_id, d.version, m.rule, d.member, m.severity, m.evidence, core.now()
    from catalog.match_rules(v_members, v_texts) as m
    inner join unnest(v_tools, v_versions, v_members) with ordinality as d (tool_id, version, member, position) on d.position = m.place;
    insert into catalog.finding (tool_id, version, rule, member, severity, evidence, found_at)
    select i.tool_id, i.version, i.rule, 'name', r.severity, i.evidence, core.now()
    from catalog.scan_imitation(p_tool_ids) as i
    inner join catalog.scan_rule as r on r.name = i.rule and r.enabled;

    with suspect as (
        select f.tool_id, f.version, catalog.suspicion(array_agg(f.rule), array_agg(f.severity)) as reason
        from catalog.finding as f
        where f.tool_id = any(p_tool_ids)
        group by f.tool_id, f.version
    ),

    put_away as (
        update catalog.tool as t
        set status = 'quarantined', status_reason = s.reason, status_at = core.now()
        from suspect as s
        inner join catalog.tool_version as v on v.tool_id = s.tool_id and v.version = s.version and v.approved_by is null
        where t.id = s.tool_id and t.version = s.version and s.reason is not null and t.status in ('approved', 'pending')
        returning t.id, t.version
    ),

    unapproved as (
        update catalog.tool_version as v
        set approved_at = null
        from put_away as a
        where v.tool_id = a.id and v.version = a.version
    )

    select
        (
            select count(*)
            from catalog.finding as f
            inner join catalog.tool as t on t.id = f.tool_id and t.version = f.version
            where f.tool_id = any(p_tool_ids)
        ),
        (select coalesce(array_agg(a.id), '{}') from put_away as a)
    into findings, quarantined;
    return next;
end
$function$;
comment on function catalog.scan_tools(bigint[]) is 'Argument: tools. Returns how many findings their newest versions have, and which tools were put into quarantine.';
