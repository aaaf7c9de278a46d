-- api.diff_asset: what changed in a resource, template or prompt since the version that was approved last. Of one that is new everything is.
-- Executable by operators; row policies decide which they see.
-- Raises: QM404 asset_not_found, QM409 asset_ambiguous.
create or replace function api.diff_asset(name text, kind text default null)
returns table (version_before integer, version_after integer, member text, before text, after text)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_asset_id bigint;
begin
    perform policy.require_principal();
    v_asset_id := catalog.asset_id(diff_asset.name, diff_asset.kind);
    return query
    with compared as (
        select a.version, w.version as version_before, a.definition, catalog.asset_core(v.definition) as definition_before
        from catalog.asset as a
        -- Version 0 is the nothing that was there before.
        cross join lateral (select coalesce(nullif(a.approved_version, a.version), a.version - 1) as version) as w
        left join catalog.asset_version as v on v.asset_id = a.id and v.version = w.version
        where a.id = v_asset_id
    ),

    leaf as (
        select f.path, f.value as before, null::jsonb as after
        from compared as c
        cross join lateral catalog.flatten(c.definition_before) as f
        union all
        select f.path, null, f.value
        from compared as c
        cross join lateral catalog.flatten(catalog.asset_core(c.definition)) as f
    ),

    member as (
        select l.path, max(l.before #>> '{}') as before, max(l.after #>> '{}') as after
        from leaf as l
        group by l.path
    )

    select c.version_before, c.version, m.path, m.before, m.after
    from compared as c
    cross join member as m
    where m.before is distinct from m.after
    order by m.path collate "C";
end
$function$;
comment on function api.diff_asset(text, text) is
'Arguments: public name; kind, where several have it. Compares the approved version, or the one before (0: nothing, so that everything is new), with the newest. Returns for each member that differs its path, its value before and after; null where it is absent.';
grant execute on function api.diff_asset to qm_operator;
