-- api.get_asset: everything there is to know of one resource, template or prompt, withheld or not: for whoever decides on it.
-- Executable by operators; row policies decide which they see.
-- Raises: QM404 asset_not_found, QM409 asset_ambiguous.
create or replace function api.get_asset(name text, kind text default null)
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_asset_id bigint;
begin
    perform policy.require_principal();
    v_asset_id := catalog.asset_id(get_asset.name, get_asset.kind);
    return (
        select
            to_jsonb(a) - '{id,origin_id,content_hash,rights_class}'::text[]
            || jsonb_build_object(
                'origin', o.name,
                'versions', (
                    select jsonb_agg(
                        jsonb_build_object(
                            'version', v.version, 'valid_from', v.valid_from, 'valid_to', v.valid_to, 'approved_at', v.approved_at, 'approved_by', p.name
                        ) order by v.version
                    )
                    from catalog.asset_version as v
                    left join policy.principal as p on p.id = v.approved_by
                    where v.asset_id = a.id
                ),
                'findings', (
                    select coalesce(
                        jsonb_agg(to_jsonb(f) - 'asset_id' || jsonb_build_object('meaning', r.meaning) order by f.severity, f.rule, f.member), '[]'
                    )
                    from catalog.asset_finding as f
                    inner join catalog.scan_rule as r on r.name = f.rule
                    where f.asset_id = a.id and f.version = a.version
                )
            )
        from catalog.asset as a
        inner join catalog.origin as o on o.id = a.origin_id
        where a.id = v_asset_id
    );
end
$function$;
comment on function api.get_asset(text, text) is
'Arguments: public name; kind, where several have it. JSON: the columns of catalog.asset, origin, versions [{version, valid_from, valid_to, approved_at, approved_by}], findings of the newest version [{rule, member, severity, evidence, meaning, found_at}].';
grant execute on function api.get_asset to qm_operator;
