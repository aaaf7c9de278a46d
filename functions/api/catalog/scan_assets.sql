-- api.scan_assets: a stretch of the resources, templates and prompts is scanned for poisoned definitions; what is found is put into quarantine.
-- Stretch by stretch, so that each is a short transaction: call again with the last id returned until none comes.
-- Definer because findings and the catalog are written by its own functions only; executable by operators.
-- Writes: catalog.asset_finding, catalog.asset, catalog.asset_version.  Announces: qm_catalog.
create or replace function api.scan_assets(after_id bigint default 0, maximum integer default 500)
returns table (last_id bigint, assets integer, findings integer, quarantined text[])
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_asset_ids bigint[];
    v_quarantined bigint[];
begin
    perform policy.require_principal();
    select array_agg(s.id), max(s.id)
    into v_asset_ids, last_id
    from (
        select a.id
        from catalog.asset as a
        where a.id > scan_assets.after_id
            and a.deprecated_at is null
            and policy.is_visible(a.rights_class, (select policy.visible_classes()))
        order by a.id
        limit greatest(scan_assets.maximum, 1)
    ) as s;
    if v_asset_ids is null then
        return;
    end if;
    select s.findings, s.quarantined into findings, v_quarantined from catalog.scan_assets(v_asset_ids) as s;
    perform pg_notify('qm_catalog', o.origin_id::text)
    from (select distinct a.origin_id from catalog.asset as a where a.id = any(v_quarantined)) as o;
    assets := cardinality(v_asset_ids);
    quarantined := array(select a.public_name from catalog.asset as a where a.id = any(v_quarantined) order by a.public_name);
    return next;
end
$function$;
comment on function api.scan_assets(bigint, integer) is
'Arguments: id after which to begin; how many. Returns the last id, how many were scanned, how many findings they have, and which were put into quarantine; no row when none is left.';
grant execute on function api.scan_assets to qm_operator;
