-- catalog.decide_assets: an operator's word on resources, templates and prompts: approved, quarantined or deprecated.
-- Approval stands with the version: the scan does not overrule who has looked at it.
-- Writes: catalog.asset, catalog.asset_version.  Announces: qm_catalog.
create or replace function catalog.decide_assets(p_asset_ids bigint[], p_status text, p_reason text, p_principal_id bigint)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    update catalog.asset as a
    set
        status = p_status,
        status_reason = left(coalesce(p_reason, ''), 2000),
        status_at = core.now(),
        approved_version = case when p_status = 'approved' then a.version else a.approved_version end
    where a.id = any(p_asset_ids);
    update catalog.asset_version as v
    set
        approved_at = case p_status when 'approved' then coalesce(v.approved_at, core.now()) when 'quarantined' then null else v.approved_at end,
        approved_by = case p_status when 'approved' then p_principal_id when 'quarantined' then null else v.approved_by end
    where v.asset_id = any(p_asset_ids) and v.valid_to is null;
    perform pg_notify('qm_catalog', o.origin_id::text)
    from (select distinct a.origin_id from catalog.asset as a where a.id = any(p_asset_ids)) as o;
end
$function$;
comment on function catalog.decide_assets(bigint[], text, text, bigint) is
'Arguments: assets; approved, quarantined or deprecated; why; the deciding principal. Announces the change on channel qm_catalog.';
