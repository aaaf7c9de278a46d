-- catalog.scan_items: this function does not update the cards, so call catalog.show_items afterwards.
-- Writes: catalog.finding, catalog.item, catalog.item_version.
create or replace function catalog.scan_items(p_item_ids bigint[])
returns table (findings integer, quarantined bigint[])
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_items bigint[];
    v_versions integer[];
    v_members text[];
    v_texts text[];
begin
    delete from catalog.finding as f
    using catalog.item as i
    where f.item_id = any(p_item_ids) and i.id = f.item_id and f.version = i.version and f.rule <> 'near_duplicate';

    select array_agg(d.item_id), array_agg(d.version), array_agg(d.member), array_agg(d.text)
    into v_items, v_versions, v_members, v_texts
    from (
        select i.kind, array_agg(i.id) as ids from catalog.item as i where i.id = any(p_item_ids) group by i.kind
    ) as k
    cross join lateral catalog.item_texts(k.kind, k.ids) as d;
    insert into catalog.finding (item_id, version, rule, member, severity, evidence, found_at)
    select d.item_id, d.version, m.rule, d.member, m.severity, m.evidence, core.now()
    from catalog.match_rules(v_members, v_texts) as m
    inner join unnest(v_items, v_versions, v_members) with ordinality as d (item_id, version, member, position)
        on d.position = m.place;
    insert into catalog.finding (item_id, version, rule, member, severity, evidence, found_at)
    select m.item_id, m.version, m.rule, 'name', r.severity, m.evidence, core.now()
    from catalog.scan_imitation(p_item_ids) as m
    inner join catalog.scan_rule as r on r.name = m.rule and r.enabled;

    with suspect as (
        select f.item_id, f.version, catalog.suspicion(array_agg(f.rule), array_agg(f.severity)) as reason
        from catalog.finding as f
        where f.item_id = any(p_item_ids)
        group by f.item_id, f.version
    ),

    put_away as (
        update catalog.item as i
        set
            status = 'quarantined',
            status_reason = s.reason,
            status_at = core.now(),
            approved_version = nullif(i.approved_version, i.version)
        from suspect as s
        inner join catalog.item_version as v
            on v.item_id = s.item_id and v.version = s.version and v.approved_by is null
        where i.id = s.item_id
            and i.version = s.version
            and s.reason is not null
            and i.status in ('approved', 'pending')
        returning i.id, i.version
    ),

    unapproved as (
        update catalog.item_version as v
        set approved_at = null
        from put_away as a
        where v.item_id = a.id and v.version = a.version
    )

    select
        (
            select count(*)
            from catalog.finding as f
            inner join catalog.item as i on i.id = f.item_id and i.version = f.version
            where f.item_id = any(p_item_ids)
        ),
        (select coalesce(array_agg(a.id), '{}') from put_away as a)
    into findings, quarantined;
    return next;
end
$function$;
comment on function catalog.scan_items(bigint[]) is
'Scans items for definitions that contain attacks. Puts suspicious items into quarantine, except items that somebody '
'approved by hand. Argument p_item_ids: ids of the items. Returns the number of findings in the newest versions of '
'these items, and the items that were put into quarantine.';
