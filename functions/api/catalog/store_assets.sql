-- api.store_assets: the resources, templates or prompts that a running refresh has read, all of one kind.
-- Definer because the catalog is written by its own functions only; executable by operators.
-- Raises: QM404 refresh_not_found, QM422 assets_invalid.  Writes: catalog.asset, catalog.asset_version, catalog.asset_finding, catalog.refresh, policy.rights_class.
create or replace function api.store_assets(refresh_id bigint, kind text, assets jsonb, listed text[] default null)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
    v_changed integer;
    v_withheld integer;
begin
    perform policy.require_principal();
    if jsonb_typeof(store_assets.assets) is distinct from 'array' or store_assets.kind not in ('resource', 'resource_template', 'prompt') then
        perform core.fail('assets_invalid', format('%L is no kind, or its assets are no JSON array', left(store_assets.kind, 100)));
    end if;
    select r.origin_id into v_origin_id
    from catalog.refresh as r
    where r.id = store_assets.refresh_id and r.status = 'running'
    for update;
    if v_origin_id is null then
        perform core.fail('refresh_not_found', format('there is no running refresh %s', store_assets.refresh_id));
    end if;
    select p.changed, p.withheld into v_changed, v_withheld
    from catalog.put_assets(v_origin_id, store_assets.kind, store_assets.assets, store_assets.listed) as p;
    if v_changed > 0 then
        update catalog.refresh as r set withheld = r.withheld + v_withheld where r.id = store_assets.refresh_id;
        perform pg_notify('qm_catalog', v_origin_id::text);
    end if;
    return v_changed;
end
$function$;
comment on function api.store_assets(bigint, text, jsonb, text[]) is
'Arguments: running refresh; kind (resource, resource_template, prompt); array of definitions of that kind, as listed; the names of all that are listed, where these are the last part of them, an empty array where more parts follow, null where these are all. Returns how many came, changed or went; announces it on channel qm_catalog.';
grant execute on function api.store_assets to qm_operator;
