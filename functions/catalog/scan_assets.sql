-- catalog.scan_assets: looks for poisoned definitions, and puts into quarantine what nobody has looked at and approved by hand.
-- Writes: catalog.asset_finding, catalog.asset, catalog.asset_version.
create or replace function catalog.scan_assets(p_asset_ids bigint[])
returns table (findings integer, quarantined bigint[])
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_assets bigint[];
    v_versions integer[];
    v_members text[];
    v_texts text[];
begin
    delete from catalog.asset_finding as f
    using catalog.asset as a
    where f.asset_id = any(p_asset_ids) and a.id = f.asset_id and f.version = a.version;

    select array_agg(d.asset_id), array_agg(d.version), array_agg(d.member), array_agg(d.text)
    into v_assets, v_versions, v_members, v_texts
    from catalog.asset_texts(p_asset_ids) as d;
    insert into catalog.asset_finding (asset_id, version, rule, member, severity, evidence, found_at)
    select d.asset_id, d.version, m.rule, d.member, m.severity, m.evidence, core.now()
    from catalog.match_rules(v_members, v_texts) as m
    inner join unnest(v_assets, v_versions, v_members) with ordinality as d (asset_id, version, member, position) on d.position = m.place;

    with suspect as (
        select f.asset_id, f.version, catalog.suspicion(array_agg(f.rule), array_agg(f.severity)) as reason
        from catalog.asset_finding as f
        where f.asset_id = any(p_asset_ids)
        group by f.asset_id, f.version
    ),

    put_away as (
        update catalog.asset as a
        set status = 'quarantined', status_reason = s.reason, status_at = core.now()
        from suspect as s
        inner join catalog.asset_version as v on v.asset_id = s.asset_id and v.version = s.version and v.approved_by is null
        where a.id = s.asset_id and a.version = s.version and s.reason is not null and a.status in ('approved', 'pending')
        returning a.id, a.version
    ),

    unapproved as (
        update catalog.asset_version as v
        set approved_at = null
        from put_away as p
        where v.asset_id = p.id and v.version = p.version
    )

    select
        (
            select count(*)
            from catalog.asset_finding as f
            inner join catalog.asset as a on a.id = f.asset_id and a.version = f.version
            where f.asset_id = any(p_asset_ids)
        ),
        (select coalesce(array_agg(p.id), '{}') from put_away as p)
    into findings, quarantined;
    return next;
end
$function$;
comment on function catalog.scan_assets(bigint[]) is 'Argument: assets. Returns how many findings their newest versions have, and which were put into quarantine.';
