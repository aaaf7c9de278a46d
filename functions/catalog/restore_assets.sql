-- catalog.restore_assets: versions of before come forward as new ones, where assets are not at them.
-- Writes: catalog.asset, catalog.asset_version.
create or replace function catalog.restore_assets(p_asset_ids bigint[], p_versions integer[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    update catalog.asset as a set deprecated_at = null where a.id = any(p_asset_ids) and a.deprecated_at is not null;
    with changed as (
        update catalog.asset as a
        set definition = v.definition, content_hash = sha256(convert_to(v.definition::text, 'UTF8')), version = a.version + 1
        from unnest(p_asset_ids, p_versions) as g (asset_id, version)
        inner join catalog.asset_version as v on v.asset_id = g.asset_id and v.version = g.version
        where a.id = g.asset_id and a.version <> g.version
        returning a.id, a.version, a.definition
    ),

    closed as (
        update catalog.asset_version as v
        set valid_to = core.now()
        from changed as c
        where v.asset_id = c.id and v.valid_to is null
        returning v.asset_id
    )

    insert into catalog.asset_version (asset_id, version, valid_from, definition)
    select c.id, c.version, core.now(), c.definition
    from changed as c
    -- Counting makes the old versions close first: at most one may be open.
    where (select count(*) from closed) >= 0;
end
$function$;
comment on function catalog.restore_assets(bigint[], integer[]) is 'Arguments: assets, and the version of each that is to hold again. Approve them afterwards: catalog.decide_assets.';
